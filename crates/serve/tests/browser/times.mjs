// Times solves by the static site: a row for each position of standard input, with its number of positions, score, seconds from the
// question to the answer, and the seconds and megabytes of the plan. Argument: the directory of the site.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch } from './common.mjs';
import { serveFiles } from './files.mjs';

const server = await serveFiles(resolve(process.argv[2]));
const browser = await launch();
for (const position of readFileSync(0, 'utf8').trim().split('\n')) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(server.address);
  await page.waitForFunction(() => crossOriginIsolated);
  // A worker of its own, whose start counts, and no page beside it that asks.
  const row = await page.evaluate(async (position) => {
    const way = await import('./ask.js');
    const since = performance.now();
    const plan = await way.ask('plan', { position });
    let solve = await way.solve({ position });
    while (solve.state === 'running') {
      await new Promise((resume) => { setTimeout(resume, 10); });
      solve = await way.solving(solve.id);
    }
    const { score } = await way.ask('query', { position });
    const seconds = (performance.now() - since) / 1000;
    return [position, plan.positions, score, seconds.toFixed(2), plan.seconds.toFixed(2), Math.round(plan.memory / 1e6)];
  }, position);
  console.log(row.join('\t'));
  await page.context().close();
}
await browser.close();
server.close();
