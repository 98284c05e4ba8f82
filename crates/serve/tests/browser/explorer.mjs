// Drives the page in headless Chromium against a running `dab serve`.
//
// Arguments: the address of the server, the dab program, and a directory for screenshots if new ones are wanted.
// The page must agree with `dab query --json`.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { answered, asking, click, kinds, labels, launch, position, watch } from './common.mjs';

const [address, dab, shots] = process.argv.slice(2);
const browser = await launch();
const query = asking(dab, tmpdir());

/** A new page at an address, which must ask nobody else for anything and report no error. */
async function open(hash = '', { width = 1280, height = 800, scheme = 'light', touch = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, hasTouch: touch, reducedMotion: 'reduce' });
  const page = await context.newPage();
  watch(page, address);
  await page.goto(address + hash);
  return page;
}

const text = (page, selector) => page.textContent(selector);

async function perfectGame() {
  const page = await open('#p=3x3:0');
  await answered(page, '3x3:0');
  // The first player loses 3x3 by three, and the score stays so while both play best lines.
  for (let left = 24; left > 0; left -= 1) {
    const expected = query(await position(page));
    assert.deepEqual(await labels(page), kinds(expected.moves));
    assert.equal(await text(page, '.verdict .big'), 'B wins by 3');
    const before = await position(page);
    await click(page, expected.best[left % expected.best.length]);
    await page.waitForFunction((before) => document.body.dataset.position !== before, before);
    await answered(page);
  }
  assert.equal(await position(page), '3x3:ffffff');
  assert.equal(await text(page, '.verdict .big'), 'B has won by 3');
  const boxes = await page.$$eval('.player .boxes', (boxes) => boxes.map((box) => box.textContent));
  assert.deepEqual(boxes, ['3', '6']);
  assert.equal(await page.$$eval('#board .box.b', (boxes) => boxes.length), 6);

  // The address holds the game: another page shows the same game, and can take lines back.
  const same = await open(new URL(page.url()).hash);
  await answered(same, '3x3:ffffff');
  assert.equal(await text(same, '.verdict .big'), 'B has won by 3');
  await same.click('#undo');
  await same.waitForFunction(() => document.body.dataset.position !== '3x3:ffffff');
  await answered(same);
  assert.deepEqual(await labels(same), kinds(query(await position(same)).moves));
  await same.click('#redo');
  await answered(same, '3x3:ffffff');
  await same.click('#reset');
  await answered(same, '3x3:0');
  assert.equal((await labels(same)).length, 24);
  await same.context().close();
  await page.context().close();
}

async function keyboard() {
  const page = await open('#p=3x3:0');
  await answered(page, '3x3:0');
  await page.focus('#board .line[tabindex="0"]');
  assert.match(await page.getAttribute('#board .line[tabindex="0"]', 'aria-label'), /^Line 0: −3, safe, best$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await answered(page, '3x3:2');
  await page.keyboard.press('u');
  await answered(page, '3x3:0');
  await page.keyboard.press('Control+Shift+Z');
  await answered(page, '3x3:2');
  await page.keyboard.press('s');
  assert.equal(await page.$$eval('#board .pill', (pills) => pills.length), 0);
  await page.context().close();
}

async function pasted() {
  const page = await open();
  await answered(page);
  const paste = async (text) => {
    if (!(await page.$('dialog[open]'))) await page.click('#paste');
    await page.fill('#text', text);
    await page.click('#load');
  };
  await paste('3x3:xyz');
  await page.waitForFunction(() => document.querySelector('#text-error').textContent.includes('is no hexadecimal mask'));
  await paste('+-+-+-+\n\n+-+-+-+\n\n+-+-+-+\n\n+-+-+-+');
  await answered(page, '3x3:fff');
  assert.deepEqual(await labels(page), kinds(query('3x3:fff').moves));
  // Three chains, which light up.
  assert.equal(await page.$$eval('#parts button', (parts) => parts.length), 3);
  await page.hover('#parts button');
  assert.equal(await page.$$eval('#board .line.lit', (lines) => lines.length), 4);
  assert.equal(await page.$$eval('#board .box.glow', (boxes) => boxes.length), 3);
  assert.match(await text(page, '#theory'), /endgame 33.*Controlled value\+1.*theory\+1open 3.*table\+1open 3.*Allcock 4\.1\(4\)/);
  // A game of another program, with the owners of its boxes.
  await paste('0 16 1 B\n+-+-+\n|A|\n+-+ +');
  await answered(page, '1x2:37');
  assert.equal(await text(page, '#board .owner'), 'A');
  assert.equal(await page.$eval('.player.moves', (player) => player.classList.contains('b')), true);
  assert.match(page.url(), /side=B/);
  // Triangles and closed rows are boards like all others.
  await paste('triangles:open:3');
  await answered(page, 'triangles:open:3:0');
  assert.deepEqual(await labels(page), kinds(query('triangles:open:3').moves));
  // The server never takes pasted text for the name of a file.
  await paste('graph:/etc/hostname');
  await page.waitForFunction(() => document.querySelector('#text-error').textContent.includes('is not served'));
  await page.context().close();
}

async function solvedOnDemand() {
  const page = await open('#p=5x5:0');
  // The whole board is too large, and stays playable.
  await page.waitForFunction(() => document.querySelector('#solve').textContent.includes('181,576,236,752,527 positions'));
  assert.equal(await page.$$eval('#board .line', (lines) => lines.length), 60);
  await click(page, 7);
  await page.waitForFunction(() => document.body.dataset.position === '5x5:80');
  // With fewer lines left the solve takes a moment, and the page does not ask first.
  const small = '5x5:95ba8b034400181';
  await page.goto(`${address}#p=${small}`);
  await answered(page, small);
  assert.deepEqual(await labels(page), kinds(query(small).moves));
  // The page offers a longer solve, which can be cancelled.
  await page.goto(`${address}#p=5x5:95ba8b030000000`);
  await page.click('#begin');
  await page.click('#cancel');
  await page.waitForFunction(() => document.querySelector('#solve').textContent.includes('It was cancelled.'));
  await page.context().close();
}

async function perfectOpponent() {
  const page = await open('#p=2x2:0');
  await answered(page, '2x2:0');
  await page.selectOption('#opponent', '1');
  // B answers every line with a best line, so A never gets more than the score.
  let score = query('2x2:0').score;
  for (;;) {
    await page.waitForFunction(() => document.body.dataset.state === 'answered'
      && (document.querySelector('.player.a.moves') || document.querySelector('.middle').textContent === 'game over'), null, { timeout: 20_000 });
    const now = await position(page);
    if (now === '2x2:fff') break;
    const { moves } = query(now);
    const { line } = moves[Math.floor(moves.length / 2)];
    await click(page, line);
    await page.waitForFunction((now) => document.body.dataset.position !== now, now);
  }
  const [a, b] = await page.$$eval('.player .boxes', (boxes) => boxes.map((box) => Number(box.textContent)));
  assert.equal(a + b, 4);
  assert(a - b <= score, `${a} to ${b}`);
  await page.context().close();
}

async function onPhones() {
  for (const hash of ['#p=3x3:fff', '#p=5x5:95ba8b034400181', '#p=1x10:1f', '#p=triangles:closed:6:0']) {
    const page = await open(hash, { width: 390, height: 844, touch: true });
    await answered(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert(overflow <= 0, `${hash} is ${overflow} pixels too wide`);
    const before = await position(page);
    await page.tap('#board .line');
    await page.waitForFunction((before) => document.body.dataset.position !== before, before);
    await page.context().close();
  }
}

async function screenshots() {
  const game = '#p=4x4:0&m=0.39.17.5.30.12.8.22.26.3.14.36.19.33.1.21.31.2.7.11.18.13.37.38';
  for (const [name, hash, options] of [
    ['explorer', game, {}],
    ['explorer-dark', '#p=5x5:a35949a76747e4f', { scheme: 'dark', hover: 'loop of 8' }],
    ['explorer-phone', '#p=3x3:fff&m=12.13.14.15.16', { width: 390, height: 844 }],
    ['explorer-phone-dark', game, { width: 390, height: 844, scheme: 'dark' }],
  ]) {
    const page = await open(hash, options);
    await answered(page);
    if (options.hover) await page.hover(`text=${options.hover}`);
    await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
    await page.context().close();
  }
}

for (const test of [perfectGame, keyboard, pasted, solvedOnDemand, perfectOpponent, onPhones, ...(shots ? [screenshots] : [])]) {
  await test();
  console.log(`${test.name} ok`);
}
await browser.close();
