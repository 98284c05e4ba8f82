// Steps that the tests of the served page and of the site share.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

/** A browser: CHROMIUM, or the one of Debian. */
export function launch() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}

/** Asks the program `dab` in a directory. */
export const asking = (dab, cwd) => (position) =>
  JSON.parse(execFileSync(dab, ['query', '--json', '--quiet', position], { encoding: 'utf8', cwd }));

/** The moves of an answer as labels on the board show them. */
export const kinds = (moves) => moves.map(({ line, score, kind, mark = '' }) => [line, score, kind, mark]);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks that axe-core finds nothing on the page as it is. */
export async function isAccessible(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message}`).slice(0, 3)}`), [], what);
}

/** Opens new pages at an address, which must ask nobody else for anything and report no error. Scores are shown unless one is as new. */
export const opening = (browser, address) => async (hash = '', { width = 1280, height = 800, scheme = 'light', touch = false, isNew = false } = {}) => {
  // A service worker would load the page once more.
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, hasTouch: touch, reducedMotion: 'reduce', serviceWorkers: 'block' });
  if (!isNew) await withScores(context);
  const page = await context.newPage();
  watch(page, address);
  await page.goto(address + hash);
  return page;
};

/** Runs tests one after the other; those that TESTS names if it does. */
export async function runAll(tests) {
  for (const test of tests) {
    if (process.env.TESTS && !process.env.TESTS.split(' ').includes(test.name)) continue;
    const begin = performance.now();
    await test();
    console.log(`${test.name} ok, ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
}

/** Has the pages of a context show scores from the first line on, as if the player had chosen so. */
export const withScores = (context) => context.addInitScript(() => localStorage.setItem('dab', '{"scores":true}'));

/** Fails as soon as a page reports an error, or asks anybody but `address` for anything. */
export function watch(page, address) {
  page.on('pageerror', (error) => { throw error; });
  page.on('request', (request) => assert(request.url().startsWith(address), `asks ${request.url()}`));
}

/** Waits until the page has the answer for a position. */
export const answered = (page, position) =>
  page.waitForSelector(`body[data-state=answered]${position ? `[data-position="${position}"]` : ''}`, { timeout: 60_000 });

export const position = (page) => page.evaluate(() => document.body.dataset.position);

/** Line, score, kind and mark of every label on the board. */
export const labels = (page) => page.$$eval('#board .line', (lines) => lines.map(({ dataset, textContent }) => {
  const [, label, mark] = textContent.match(/([+−]?\d+)([v^]?)$/);
  const shown = Number(label.replace('−', '-'));
  if (shown !== Number(dataset.score)) throw new Error(`line ${dataset.line} is labelled ${shown}`);
  return [Number(dataset.line), shown, dataset.kind, mark];
}).sort(([a], [b]) => a - b));

/** Clicks a line on the board, wherever that is free of its label. */
export const click = (page, line) => page.click(`#board .line[data-line="${line}"]`);

/** Leads the focus to an element, by the Tab key alone. */
export async function tabTo(page, selector) {
  for (let n = 0; n < 150; n += 1) {
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

/** Draws a line by the keyboard: arrows lead to it from the line that has the focus. */
export async function reach(page, line) {
  await tabTo(page, '#board .line');
  const mids = await page.evaluate(async (board) => (await (await import('./api.js')).board(board)).lines.map(({ mid }) => mid),
    (await position(page)).replace(/:[^:]*$/, ''));
  const seen = new Set();
  for (let n = 0; n < 200; n += 1) {
    const here = await page.evaluate(() => Number(document.activeElement.dataset.line));
    if (here === line) return page.keyboard.press('Enter');
    const [dx, dy] = mids[line].map((x, axis) => x - mids[here][axis]);
    const ways = [[Math.abs(dx), dx > 0 ? 'ArrowRight' : 'ArrowLeft'], [Math.abs(dy), dy > 0 ? 'ArrowDown' : 'ArrowUp'],
      [0, 'ArrowUp'], [0, 'ArrowLeft'], [0, 'ArrowDown'], [0, 'ArrowRight']].sort(([a], [b]) => b - a).map(([, key]) => key);
    const key = ways.find((key) => !seen.has(`${here} ${key}`));
    seen.add(`${here} ${key}`);
    await page.keyboard.press(key);
  }
  return assert.fail(`arrows do not lead to line ${line}`);
}
