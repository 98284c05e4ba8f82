// Drives puzzles and lessons, by keyboard alone, and games that are reviewed.
//
// Arguments: the address of the server or the directory of the site, and the dab program, whose best lines the test draws.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { answered, asking, click, isAccessible, launch, opening, position, runAll } from './common.mjs';
import { serveFiles } from './files.mjs';

const [served, dab] = process.argv.slice(2);
const server = served.startsWith('http') ? null : await serveFiles(served);
const address = server?.address ?? served;
const browser = await launch();
const open = opening(browser, address);
const query = asking(dab, tmpdir());

const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844, touch: true }];
const LOOKS = SIZES.flatMap((size) => ['light', 'dark'].map((scheme) => ({ ...size, scheme })));

const text = (page, selector) => page.textContent(selector);
const isStage = (page, stage) => page.waitForSelector(`body[data-study=${stage}]`);
const lines = (page) => page.$$eval('#board .line', (lines) => lines.map(({ dataset }) => Number(dataset.line)));

/** Leads the focus to an element, by the Tab key alone. */
async function tabTo(page, selector) {
  for (let n = 0; n < 150; n += 1) {
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not lead to ${selector}`);
}

/** Draws a line by the keyboard: arrows lead to it from the line that has the focus. */
async function reach(page, line) {
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

/** Ten puzzles, by keyboard alone: each begins with Enter on the button that has the focus. */
async function tenPuzzles() {
  const page = await open('#p=2x2:0', { isNew: true });
  await answered(page);
  await tabTo(page, '#puzzles');
  await page.keyboard.press('Enter');
  for (let n = 1; n <= 10; n += 1) {
    await isStage(page, 'open');
    assert.equal(await text(page, '#study .title'), `Puzzle ${n} of 40`);
    const { best, score } = query(await position(page));
    await reach(page, best[0]);
    await isStage(page, 'right');
    await page.waitForFunction((score) => document.querySelector('#study .said').textContent.includes(`is right: A wins by ${score}.`), score);
    assert.equal(await text(page, '#study .count'), `${n} of 40 done`);
    if (n < 10) await page.keyboard.press('Enter');
  }
  // The progress stays, and so does the game before.
  await page.reload();
  await isStage(page, 'open');
  assert.equal(await text(page, '#study .count'), '10 of 40 done');
  await tabTo(page, '#study .close');
  await page.keyboard.press('Enter');
  await answered(page, '2x2:0');
  assert(await page.isHidden('#study'));
  await page.click('#puzzles');
  await page.waitForSelector('#study .title:has-text("Puzzle 11 of 40")');
  await page.context().close();
}

/** A wrong line is refuted, and does not count. */
async function wrongLines() {
  const page = await open('#p=2x2:0&m=0');
  await answered(page);
  await page.click('#puzzles');
  await isStage(page, 'open');
  await page.selectOption('#study .group', '1');
  await page.waitForSelector('#study .title:has-text("Puzzle 1 of 40")');
  await page.waitForFunction(() => document.body.dataset.state === 'answered');
  const puzzle = await position(page);
  const { moves, score } = query(puzzle);
  // Neither scores nor best play tell the answer, nor does a reload.
  for (const look of [() => {}, () => page.reload()]) {
    await look();
    await isStage(page, 'open');
    await answered(page, puzzle);
    assert.equal(await page.$$eval('#board .pill', (pills) => pills.length), 0);
    for (const section of ['#play', '#parts', '#theory', '#review', '#verdict']) assert(await page.isHidden(section), section);
  }
  const wrong = moves.find((move) => move.score < score && move.kind !== 'capture');
  await click(page, wrong.line);
  await isStage(page, 'wrong');
  const lost = wrong.score === 0 ? 'a tie' : `${wrong.score > 0 ? 'A' : 'B'} wins by ${Math.abs(wrong.score)}`;
  assert.equal(await text(page, '#study .said'), `${wrong.name} costs ${score - wrong.score}: now ${lost}; with a best line A wins by ${score}.`);
  // B draws best lines until A is to move again.
  await page.waitForSelector('#play .turn');
  await page.waitForFunction(() => document.querySelector('.player.a.moves') && document.querySelectorAll('#board .drawn.by-b').length > 0);
  assert.equal(await page.$$eval('#board .pill', (pills) => pills.length), 0);
  await page.click('#study .again');
  await isStage(page, 'open');
  assert.equal(await position(page), puzzle);
  await page.click('#study .answer');
  await isStage(page, 'shown');
  assert.match(await text(page, '#study .said'), /^Best: [a-f]\d-[a-f]\d\.$/);
  await page.waitForSelector('#board .pill');
  assert.equal(await text(page, '#study .count'), '0 of 40 done');
  await page.click('#study .next');
  await page.waitForSelector('#study .title:has-text("Puzzle 2 of 40")');
  // Problems of books tell their names, which may be answers, afterwards.
  await page.selectOption('#study .group', '4');
  await page.waitForSelector('#study .title:has-text("Puzzle 1 of")');
  const problems = await page.evaluate(() => import('./api.js').then((api) => api.problems()));
  const names = problems.filter(({ grade }) => !grade).map(({ name }) => name);
  const told = await page.evaluate(() => document.body.textContent + document.title);
  assert(names.length > 20);
  assert.deepEqual(names.filter((name) => told.includes(name)), []);
  await page.goBack();
  await answered(page, '2x2:1');
  await page.context().close();
}

/** All lessons, by keyboard alone. Lines are those of the program where a step wants the best ones. */
async function lessons() {
  const page = await open('#p=2x2:0');
  await answered(page);
  await tabTo(page, '#lessons');
  await page.keyboard.press('Enter');
  await isStage(page, 'open');
  const goals = await page.evaluate(() => import('./lessons.js').then(({ LESSONS }) => LESSONS.map(([name, steps]) => [name, steps.map(({ goal }) => goal)])));
  assert.equal(goals.length, 6);
  for (const [lesson, [name, steps]] of goals.entries()) {
    for (const [n, goal] of steps.entries()) {
      await page.waitForSelector(`#study .title:has-text("Step ${n + 1} of ${steps.length}")`);
      assert.equal(await page.$eval('#study .group', ({ selectedOptions: [{ textContent }] }) => textContent), `${lesson + 1}. ${name}`);
      if (await page.isVisible('#study .write')) {
        const endgame = n === 1 ? '3^2+4+6l' : '4+3';
        await page.keyboard.type(endgame);
        await page.keyboard.press('Enter');
        await page.waitForSelector(`#parts, body[data-study=open]`);
        assert.equal(query(await position(page)).moves.length, n === 1 ? 19 : 9);
      }
      for (;;) {
        await page.waitForFunction(() => document.body.dataset.study === 'right'
          || (document.body.dataset.state === 'answered' && document.querySelector('.player.moves .badge')?.textContent === document.querySelector('#study').dataset.you), null, { timeout: 20_000 });
        if (await page.evaluate(() => document.body.dataset.study) === 'right') break;
        const before = await position(page);
        const { best, moves } = query(before);
        const suits = moves.filter(({ line, kind }) => (goal ? goal === 'any' || kind === goal : best.includes(line)));
        await reach(page, suits[0].line);
        await page.waitForFunction((before) => document.body.dataset.position !== before, before);
        assert.notEqual(await page.evaluate(() => document.body.dataset.study), 'wrong');
      }
      await page.keyboard.press('Enter');
    }
  }
  // All are done, and the first one begins again.
  await page.waitForSelector('#study .title:has-text("Step 1 of 3")');
  assert.equal(await text(page, '#study .count'), '3 of 3 done');
  await page.context().close();
}

/** All states of puzzles and lessons, for axe. */
async function accessible() {
  for (const look of LOOKS) {
    const page = await open('#p=2x2:0', look);
    const check = async (what) => isAccessible(page, `${what}, ${look.width} ${look.scheme}`);
    await answered(page);
    await page.click('#puzzles');
    await isStage(page, 'open');
    await answered(page);
    await check('a puzzle');
    const { best } = query(await position(page));
    await click(page, (await lines(page)).find((line) => !best.includes(line)));
    await isStage(page, 'wrong');
    await page.waitForSelector('#play .turn');
    await check('a refutation');
    await page.click('#study .again');
    await page.click('#study .answer');
    await isStage(page, 'shown');
    await check('an answer');
    await click(page, best[0]);
    await page.click('#lessons');
    await isStage(page, 'open');
    await check('a lesson');
    await page.selectOption('#study .group', '5');
    await page.waitForSelector('#study .title:has-text("Step 1 of 3")');
    await page.click('#study .next');
    await isStage(page, 'write');
    await check('an endgame to be written');
    await page.fill('#study .endgame', 'nothing');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#study .said').textContent !== '');
    await check('an endgame that cannot be read');
    await page.context().close();
  }
}

await runAll([tenPuzzles, wrongLines, lessons, ...(server ? [] : [accessible])]);
await browser.close();
server?.close();
