// Drives puzzles and lessons, by keyboard alone.
//
// Arguments: the address of the server or the directory of the site, and the dab program, whose best lines the test draws.

import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { answered, asking, click, launch, opening, position, reach, runAll, tabTo } from './common.mjs';
import { serveFiles } from './files.mjs';

const [served, dab] = process.argv.slice(2);
const server = served.startsWith('http') ? null : await serveFiles(served);
const address = server?.address ?? served;
const browser = await launch();
const open = opening(browser, address);
const query = asking(dab, tmpdir());

const text = (page, selector) => page.textContent(selector);
const isStage = (page, stage) => page.waitForSelector(`body[data-study=${stage}]`);

/** Ten puzzles, by keyboard alone: each begins with Enter on the button that has the focus. */
async function tenPuzzles() {
  const page = await open('#p=2x2:0', { isNew: true });
  await answered(page);
  await tabTo(page, '#puzzles');
  await page.keyboard.press('Enter');
  for (let n = 1; n <= 10; n += 1) {
    await isStage(page, 'open');
    assert.equal(await text(page, '#study .title'), `Puzzle ${n} of 40`);
    await answered(page);
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
        // The board that waits for it is of no interest.
        assert(await page.isHidden('#solve'));
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

await runAll([tenPuzzles, wrongLines, lessons]);
await browser.close();
server?.close();
