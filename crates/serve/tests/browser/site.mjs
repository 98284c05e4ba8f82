// Drives the static site in headless Chromium: what is different from the served page, or takes longer (`explorer.mjs` drives
// both).
//
// Arguments: the directory of the site, and the dab program, whose answers the site must give. Prints the seconds of solves.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answered, asking, click, kinds, labels, launch, position, watch, withScores } from './common.mjs';
import { serveFiles } from './files.mjs';

const dir = resolve(process.argv[2]);
const dab = process.argv[3];
const server = await serveFiles(dir);
const { address } = server;
const browser = await launch();
const query = asking(dab, process.cwd());
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
await withScores(context);
let page = await context.newPage();
watch(page, address);

/** Goes to a position without loading the page again. */
const go = (to) => page.evaluate((to) => { location.hash = `#p=${to}`; }, to);
const solving = (text) => page.waitForFunction((text) => document.querySelector('#solve').textContent.includes(text), text, { timeout: 60_000 });

/** Goes to a position, has it solved if the page offers that, and compares the page with the program. */
async function check(to) {
  const since = performance.now();
  await go(to);
  await page.waitForSelector(`#begin, body[data-state=answered][data-position="${to}"]`);
  if (await page.$('#begin')) await page.click('#begin');
  await answered(page, to);
  const seconds = (performance.now() - since) / 1000;
  const expected = query(to);
  assert.deepEqual(await labels(page), kinds(expected.moves));
  return seconds.toFixed(2);
}

/** A newcomer's page is loaded once more, by the service worker, and has threads from then on; not if it is in use. */
async function threads() {
  await page.goto(address);
  await page.waitForFunction(() => crossOriginIsolated);
  const seconds = (page) => page.evaluate(async () => (await (await import('./ask.js')).ask('plan', { position: '5x5:1b80e152c0000' })).seconds);
  const fresh = await browser.newContext();
  const other = await fresh.newPage();
  // A key is pressed before the service worker can be there.
  await other.addInitScript(() => addEventListener('DOMContentLoaded', () => dispatchEvent(new KeyboardEvent('keydown'))));
  await other.goto(address);
  await other.waitForFunction(() => navigator.serviceWorker.controller);
  assert.equal(await other.evaluate(() => crossOriginIsolated), false);
  const hasThreads = readFileSync(`${dir}/dab.wasm`).includes('begin_threads');
  const n = hasThreads ? Math.min(await page.evaluate(() => navigator.hardwareConcurrency), 16) : 1;
  const ratio = (await seconds(other)) / (await seconds(page));
  assert(n === 1 || ratio > 1.4, `${n} threads are ${ratio} times as fast as one`);
  await fresh.close();
}

async function books() {
  for (const to of ['4x5:0', '4x5:100401', '4x4:0', '5x5:86186187e00001f']) console.log(`  ${to}: ${await check(to)} s`);
}

async function solves() {
  for (const to of ['5x5:6474500c114254', '5x5:20046b28650101d', '5x5:6474500c104250', '5x5:408b01257244020']) {
    console.log(`  ${to}: ${await check(to)} s`);
  }
}

async function cancelled() {
  await go('5x5:510240062484442');
  await page.waitForSelector('#begin, #cancel');
  if (await page.$('#begin')) await page.click('#begin');
  await solving('left');
  // While one position is solved, another one is answered.
  const score = await page.evaluate(async () => {
    const { ask } = await import('./ask.js');
    return (await ask('query', { position: '4x4:0' })).score;
  });
  assert.equal(score, 0);
  await page.click('#cancel');
  await solving('It was cancelled.');
  await check('3x3:fff');
}

async function tooMuch() {
  await go('5x5:0');
  await solving("dab plan 5x5:0");
  assert.doesNotMatch(await page.textContent('#solve'), /dab solve/);
  // The opponent without tables has a move all the same.
  await page.waitForSelector('body[data-state=guessed] .guess');
  assert.match(await page.textContent('.guess'), /^not exact/);
}

/** A site without one of its books says so. */
async function incomplete() {
  const fresh = await browser.newContext({ serviceWorkers: 'block' });
  const other = await fresh.newPage();
  await other.route('**/4x5.book', (route) => route.fulfill({ status: 404 }));
  await other.goto(address);
  await other.waitForFunction(() => document.querySelector('#solve').textContent.includes('4x5.book is missing'));
  await fresh.close();
}

/** A newcomer draws a line before any book has come, and what that takes is light. */
async function light() {
  const fresh = await browser.newContext({ serviceWorkers: 'block' });
  const other = await fresh.newPage();
  await other.route('**/books/*', () => {});
  const files = new Map();
  other.on('response', (response) => files.set(response.url(), response));
  await other.goto(address);
  await click(other, 0);
  await other.waitForSelector('#board .drawn.by-b', { state: 'attached' });
  const bodies = await Promise.all([...files.values()].map((response) => response.body()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  assert([...files.keys()].some((url) => url.endsWith('dab.wasm')) && bytes < 800_000, `${bytes} bytes`);
  console.log(`  ${bytes} bytes compressed`);
  await fresh.close();
}

async function offline() {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  server.close();
  await page.reload();
  await check('4x5:1');
  await check('5x5:20046b28650101d');
}

/** The page in one file, to which the page leads when it is opened without a server. */
async function inOneFile() {
  page = await context.newPage();
  page.on('pageerror', (error) => { throw error; });
  page.on('request', (request) => assert.match(request.url(), /^(file|data|blob):/));
  await page.goto(`file://${dir}/index.html#p=3x3:0`);
  await answered(page, '3x3:0');
  assert.match(page.url(), /dab\.html/);
  await check('4x5:100401');
  await check('5x5:20046b28650101d');
}

for (const test of [incomplete, light, threads, books, solves, cancelled, tooMuch, offline, inOneFile]) {
  await test();
  console.log(`${test.name} ok`);
}
await browser.close();
