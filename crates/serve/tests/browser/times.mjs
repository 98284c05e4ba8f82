// Times the static site. With positions in standard input: solves asked by a page that is there, a row for each, with its number of
// positions, score, median seconds from the question to the answer, and the seconds and megabytes of the plan. With `paint`: the median
// seconds until a newcomer sees something. Arguments: the directory of the site, and maybe `paint`.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch } from './common.mjs';
import { serveFiles } from './files.mjs';

const ROUNDS = 5;

const median = (values) => values.sort((one, other) => one - other)[ROUNDS >> 1];
const [dir, what] = process.argv.slice(2);
const server = await serveFiles(resolve(dir));
const browser = await launch();

/** Does something with a page of a newcomer. */
async function visit(act, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(server.address);
  const found = await act(page);
  await context.close();
  return found;
}

async function paint(page) {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  return page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000);
}

const solve = (position) => async (page) => {
  await page.waitForFunction(() => crossOriginIsolated);
  await page.waitForSelector('body[data-state=answered]');
  return page.evaluate(async (position) => {
    const way = await import('./ask.js');
    const since = performance.now();
    const plan = await way.ask('plan', { position });
    let solve = await way.solve({ position });
    while (solve.state === 'running') {
      await new Promise((resume) => { setTimeout(resume, 10); });
      solve = await way.solving(solve.id);
    }
    const { score } = await way.ask('query', { position });
    return { seconds: (performance.now() - since) / 1000, plan, score };
  }, position);
};

async function rounds(act) {
  const all = [];
  while (all.length < ROUNDS) all.push(await act());
  return all;
}

if (what === 'paint') {
  const seconds = await rounds(() => visit(paint, { serviceWorkers: 'block' }));
  console.log(median(seconds).toFixed(2));
} else {
  const positions = readFileSync(0, 'utf8').trim().split('\n');
  const all = await rounds(async () => {
    const found = [];
    for (const position of positions) found.push(await visit(solve(position)));
    return found;
  });
  for (const [n, position] of positions.entries()) {
    const [{ plan, score }] = all.map((found) => found[n]);
    const seconds = median(all.map((found) => found[n].seconds));
    console.log([position, plan.positions, score, seconds.toFixed(2), plan.seconds.toFixed(2), Math.round(plan.memory / 1e6)].join('\t'));
  }
}
await browser.close();
server.close();
