// Drives the page in headless Chromium, that of a running `dab serve` or that of a static site.
//
// Arguments: the address of the server or the directory of the site, the dab program, and a directory for screenshots if new
// ones are wanted. The page must agree with `dab query --json`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { answered, asking, click, kinds, labels, launch, opening, position, runAll, tabTo } from './common.mjs';
import { serveFiles } from './files.mjs';

const [served, dab, shots] = process.argv.slice(2);
const server = served.startsWith('http') ? null : await serveFiles(served);
const address = server?.address ?? served;
const browser = await launch();
const query = asking(dab, tmpdir());

const open = opening(browser, address);
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
  await same.click('#review .first');
  await answered(same, '3x3:0');
  assert.equal((await labels(same)).length, 24);
  await same.context().close();
  await page.context().close();
}

async function keyboard() {
  const page = await open('#p=3x3:0');
  await answered(page, '3x3:0');
  await page.focus('#board .line[tabindex="0"]');
  assert.match(await page.getAttribute('#board .line[tabindex="0"]', 'aria-label'), /^a4-b4, horizontal, top edge: −3, safe, best$/);
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
  await paste(' ');
  await page.waitForSelector('#text-error:has-text("There is nothing here yet")');
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
  // An endgame in any way of writing it.
  for (const endgame of ['3,4', '3 4', '3+4', '3 4 6l']) {
    await paste(endgame);
    await page.waitForSelector('#dialog', { state: 'hidden' });
    await page.waitForSelector(`#theory h2:has-text("${endgame === '3 4 6l' ? '3 + 4 + 6ℓ' : '3 + 4'}")`);
  }
  // The server never takes pasted text for the name of a file.
  await paste('graph:/etc/hostname');
  await page.waitForFunction(() => document.querySelector('#text-error').textContent.includes('is not served'));
  await page.context().close();
}

/** Where a book has marks, the labels have them, and the verdict and the names of lines tell them in words. */
async function marked() {
  const page = await open();
  for (const [to, mover, other] of [['3x5:0', 'A', 'B'], ['3x5:1', 'B', 'A']]) {
    await page.goto(`${address}#p=${to}&side=${mover}`);
    await answered(page, to);
    const { mark, moves } = asking(dab, process.cwd())(to);
    assert(moves.every(({ mark }) => mark !== undefined));
    assert.deepEqual(await labels(page), kinds(moves));
    const who = { v: mover, '^': other }[mark];
    assert.match(await text(page, '.verdict .small'), who ? new RegExp(`; ${who} must make the next loony move$`) : /to move$/);
    for (const { line, mark } of moves) {
      const said = await page.getAttribute(`#board [data-line="${line}"]`, 'aria-label');
      const [, words] = said.match(/(?:, then (you|the other player) must make the next loony move)?$/);
      assert.equal(words, { v: 'you', '^': 'the other player' }[mark], said);
    }
  }
  await page.context().close();
}

async function solvedOnDemand() {
  const page = await open('#p=5x5:0');
  // The whole board is too large, and stays playable.
  await page.waitForFunction(() => document.querySelector('#solve').textContent.includes('at least 88,943,720,002,618 positions'), null, { timeout: 60_000 });
  assert.equal(await page.$$eval('#board .line', (lines) => lines.length), 60);
  await click(page, 7);
  await page.waitForFunction(() => document.body.dataset.position === '5x5:80');
  // A text is shown before it has an answer.
  await page.click('#paste');
  await page.fill('#text', '5x5:100');
  await page.click('#load');
  await page.waitForSelector('#dialog', { state: 'hidden' });
  await page.waitForFunction(() => document.body.dataset.position === '5x5:100');
  // With fewer lines left the solve takes a moment, and the page does not ask first.
  const small = '5x5:95ba8b034400181';
  await page.goto(`${address}#p=${small}`);
  await answered(page, small);
  assert.deepEqual(await labels(page), kinds(query(small).moves));
  // The page offers a longer solve, which can be cancelled.
  await page.goto(`${address}#p=5x5:95ba8b020000000`);
  await page.click('#begin');
  await page.click('#cancel');
  await page.waitForFunction(() => document.querySelector('#solve').textContent.includes('It was cancelled.'));
  await page.context().close();
}

/** A game on 5x5 from the first move against the computer, by keyboard alone, and its review. */
async function wholeGame() {
  for (const [theirs, options] of [['1', { scheme: 'light' }], ['0', { scheme: 'dark', width: 390, height: 844, touch: true }]]) {
    const page = await open('', options);
    await page.waitForSelector('body[data-state=answered]');
    await tabTo(page, '#new');
    for (const key of ['Enter', 'Control+A', '5', 'Tab', 'Control+A', '5', 'Enter']) await page.keyboard.press(key);
    await page.waitForFunction(() => document.body.dataset.position === '5x5:0');
    await page.waitForSelector('body[data-state=guessed] .guess');
    assert.match(await text(page, '.guess'), /^not exact about [+−]?\d+(\.\d)?, by drawing [a-f]\d-[a-f]\d$/);
    await tabTo(page, '#opponent');
    await page.keyboard.press('End');
    assert.equal(await page.inputValue('#opponent'), 'perfect');
    if (theirs === '0') {
      await tabTo(page, '#side');
      await page.keyboard.press('End');
    }
    await page.evaluate(() => {
      window.places = new Set();
      const look = () => {
        const { x, y, width, height } = document.querySelector('#board').getBoundingClientRect();
        window.places.add([x, y + scrollY, width, height].join(' '));
        requestAnimationFrame(look);
      };
      look();
    });
    const ours = `.player.${theirs === '1' ? 'a' : 'b'}.moves`;
    const over = () => document.querySelector('.middle').textContent === 'game over';
    for (;;) {
      const mayMove = ([ours]) => document.querySelector(ours) || document.querySelector('.middle').textContent === 'game over';
      await page.waitForFunction(mayMove, [ours], { timeout: 60_000 });
      if (await page.evaluate(over)) break;
      const before = await position(page);
      await tabTo(page, '#board .line');
      await page.keyboard.press('Enter');
      await page.waitForFunction((before) => document.body.dataset.position !== before, before);
    }
    const boxes = await page.$$eval('.player .boxes', (boxes) => boxes.map((box) => Number(box.textContent)));
    assert.equal(boxes[0] + boxes[1], 25);
    // The player of this test draws whatever comes next.
    assert(boxes[Number(theirs)] > boxes[1 - Number(theirs)], `${boxes}`);
    await answered(page);
    // The board never moves while one plays, and all of it can be seen.
    const places = await page.evaluate(() => [...window.places]);
    assert.equal(places.length, 1, places);
    const [, top, , height] = places[0].split(' ').map(Number);
    assert(top >= 0 && top + height <= page.viewportSize().height, places[0]);
    // The review comes unasked.
    await page.waitForSelector('#review .unknown:not([hidden])');
    const unknown = () => page.$eval('#review .unknown span', (span) => Number(/^\d+/.exec(span.textContent)[0]));
    const [before, lines] = [await unknown(), await page.$$eval('#review .lines button', (lines) => lines.length)];
    assert(lines === 60 && before > 10 && before < 60, `${before} of ${lines}`);
    if (options.touch) {
      // On a phone, too, the board, the steps and their words are seen together.
      await page.evaluate(() => scrollTo(0, 0));
      for (const part of ['.next', '.said']) assert(await page.$eval(`#review ${part}`, (part) => part.getBoundingClientRect().bottom <= innerHeight), part);
    }
    // Enter leads to a line; the game stays.
    await tabTo(page, '#review [data-ply="59"]');
    await page.keyboard.press('Enter');
    await answered(page);
    assert.equal(await page.$$eval('#board .line', (lines) => lines.length), 1);
    assert.equal(await page.getAttribute('#review [data-ply="59"]', 'aria-current'), 'step');
    // Arrows lead from line to line wherever they mean nothing else.
    for (const [key, ply] of [['ArrowLeft', 58], ['ArrowRight', 59], ['End', 60], ['ArrowLeft', 59]]) {
      await page.keyboard.press(key);
      await page.waitForSelector(`#review [data-ply="${ply}"][aria-current]`);
    }
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.body.dataset.position === '5x5:0');
    // Of the lines that are known the mistakes, if any, come one after the other, with what was better.
    const mistakes = await page.$$eval('#review .costs', (lines) => lines.map(({ dataset }) => dataset.ply));
    for (const ply of mistakes) {
      await tabTo(page, '#review .next');
      await page.keyboard.press('Enter');
      await page.waitForSelector(`#review [data-ply="${ply}"][aria-current]`);
      await page.waitForSelector(`#review .said:has-text("Line ${ply}, "):has-text("Better:")`);
    }
    await page.context().close();
  }
}

async function reviewed() {
  const page = await open('#p=3x3:0');
  // A site has to solve it first.
  await answered(page, '3x3:0');
  await page.goto(`${address}#p=3x3:0&m=0.5.7.12.3.8.20.22.11.1`);
  await answered(page, '3x3:5019ab');
  await page.click('#review button.review');
  await page.waitForSelector('#review .graph .margin');
  const { lost, mistakes } = JSON.parse(execFileSync(dab, ['review', '--json', '3x3 0 5 7 12 3 8 20 22 11 1'], { encoding: 'utf8', cwd: tmpdir() }));
  assert.equal(await text(page, '#review .lost'), `Lost by mistakes: A ${lost[0]}, B ${lost[1]}.`);
  const costs = await page.$$eval('#review .lines .costs', (lines) => lines.map((line) => line.textContent));
  assert.deepEqual(costs.sort(), mistakes.map(({ name, cost }) => `${name}−${cost}`).sort());
  await page.click('#review .first');
  await answered(page, '3x3:0');
  await page.click('#review .next');
  const ply = ({ line }) => 1 + [0, 5, 7, 12, 3, 8, 20, 22, 11, 1].indexOf(line);
  const [first] = mistakes.sort((one, other) => ply(one) - ply(other));
  const said = `Line ${ply(first)}, ${first.name} by ${first.by}, costs ${first.cost}. Better: ${first.best_names.slice(0, 6).join(' ')}.`;
  assert.equal(await text(page, '#review .said'), said);
  // After the last mistake comes the first one.
  await page.keyboard.press('End');
  await page.click('#review .next');
  await page.waitForSelector(`#review [data-ply="${ply(first)}"][aria-current]`);
  await page.click('#review .lines [data-ply="4"]');
  await answered(page, '3x3:10a1');
  // The same game once more as text.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (notation) => {
    await page.$eval('#shared', (said) => { said.textContent = ''; });
    await page.click(`#share-dialog [data-text="${notation}"]`);
    await page.waitForFunction(() => document.querySelector('#shared').textContent === 'Copied.');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.click('#share');
  assert.match(await copied('game'), /^3x3 a4-b4 ([a-d][1-4]-[a-d][1-4] ?){9}$/);
  assert.equal(await copied('compact'), '3x3:10a1');
  assert.match(await copied('diagram'), /^\+---\+   \+   \+\n/);
  await page.context().close();

  // What is not solved yet can be, from further back each time.
  const early = await open('#p=5x5:95ba8b020000000&m=22.26.0.7.8');
  await early.waitForSelector('#review button.review:visible');
  await early.click('#review button.review');
  await early.waitForSelector('#review .unknown:not([hidden])');
  await early.click('#review .back');
  await early.waitForSelector('#review .graph:not([hidden])', { timeout: 60_000 });
  await early.context().close();
}

/** A better line begins a variation, and comments stay with their lines, after a reload and when one comes Back. */
async function variations() {
  const page = await open('#p=3x3:0');
  await answered(page, '3x3:0');
  await page.goto(`${address}#p=3x3:0&m=12.6.7.21.14.13.15.19.18.11.16.23`);
  await page.click('#review button.review');
  await page.waitForSelector('#review .graph .margin');
  const { turns } = JSON.parse(execFileSync(dab, ['review', '--json', '3x3 12 6 7 21 14 13 15 19 18 11 16 23'], { encoding: 'utf8', cwd: tmpdir() }));
  const lines = turns.flatMap((turn) => turn.lines);
  const ply = lines.findIndex(({ cost }) => cost > 0) + 1;
  // Turns are numbered; each player has a column.
  assert.deepEqual(await page.$$eval('#review .lines li > i', (rounds) => rounds.map(({ textContent }) => textContent)), ['1', '2', '3', '4', '5', '6']);
  await page.keyboard.press('Home');
  await page.click('#review .next');
  await page.waitForSelector(`#review [data-ply="${ply}"][aria-current]`);
  const { cost, best, best_names } = lines[ply - 1];
  assert.match(await text(page, '#review .said'), new RegExp(`costs ${cost}\\. Better: ${best_names[0]}`));
  // The pointer reads the graph.
  await answered(page);
  const { x, y, width, height } = await (await page.$('#review .graph svg')).boundingBox();
  await page.mouse.move(x + width - 8, y + height / 2);
  assert.match(await text(page, '#review .graph'), /12 B [a-d]\d-[a-d]\d: A [−+]?\d/);
  await page.click('#review .said button');
  await page.waitForSelector(`#review .aside [data-ply="${ply}"][aria-current]`);
  const place = await position(page);
  assert.equal(Number((await page.$$eval('#board .drawn', (drawn) => drawn.length))), ply);
  assert.equal(new URL(page.url()).hash.split('.').at(-1), `${best[0]}`);
  await page.fill('#review .note', 'Better');
  await page.press('#review .note', 'Enter');
  await click(page, best[1] ?? 23);
  await page.waitForSelector(`#review .aside [data-ply="${ply + 1}"][aria-current]`);
  // The game as it was played stands where it stood.
  assert.equal(await page.$$eval('#review .lines li:not(.aside) button', (lines) => lines.length), 12);
  for (const leave of [() => page.reload(), () => page.click('#puzzles').then(() => page.waitForSelector('#study .ask:visible')).then(() => page.goBack())]) {
    await leave();
    await page.waitForSelector(`#review .aside [data-ply="${ply + 1}"][aria-current]`);
    assert.equal(await text(page, '#review .aside em'), 'Better');
  }
  await page.keyboard.press('u');
  await answered(page, place);
  assert.equal(await page.inputValue('#review .note'), 'Better');
  // The game as it was played stands behind the curve of the variation, and its next mistake comes after it.
  // A site has to solve it again after a reload.
  await page.click('#review .first');
  await answered(page, '3x3:0');
  await page.click('#review .last');
  if (await page.isVisible('#review button.review')) await page.click('#review button.review');
  await page.waitForSelector('#review .graph .played', { state: 'attached' });
  const further = lines.findIndex(({ cost }, i) => i >= ply && cost > 0) + 1;
  await page.click('#review .next');
  await page.waitForSelector(`#review li:not(.aside) [data-ply="${further}"][aria-current]`);
  await page.click('#review .aside button');
  await page.click('#review .drop');
  await page.waitForFunction(() => !document.querySelector('#review .aside'));
  await page.keyboard.press('End');
  await page.waitForSelector('#review [data-ply="12"][aria-current]');
  // From a place in the middle the computer plays the other side.
  await page.click('#review [data-ply="4"]');
  await page.click('#review .on');
  await page.waitForFunction(() => document.querySelector('#opponent').value !== '');
  await click(page, await page.$eval('#board .line', (line) => Number(line.dataset.line)));
  await page.waitForFunction(() => document.querySelectorAll('#review .aside button').length >= 2);
  await page.context().close();
}

async function setUp() {
  const page = await open('#p=3x3:0');
  await answered(page);
  await page.click('#edit');
  for (const line of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) await click(page, line);
  await click(page, 12);
  await page.click('#edit');
  await answered(page, '3x3:fff');
  assert.deepEqual(await labels(page), kinds(query('3x3:fff').moves));
  assert.equal(await text(page, '#kind'), '3×3, set up');
  await page.click('summary');
  await page.click('#nimber');
  await page.waitForFunction(() => document.querySelector('#nimber-said').textContent.includes('nimber 0'));
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  assert.match(await text(page, '#nimber-said'), /nimber 0/);
  await page.fill('#penalty', '1');
  await page.dispatchEvent('#penalty', 'change');
  await page.waitForFunction(() => document.querySelector('.verdict').textContent.includes('The last line costs 1 box.'));
  await page.context().close();
}

/** A game comes back after other games, an edit and a reload. */
async function gamesAreKept() {
  const page = await open('#p=2x2:0&m=0.2.6.7.8');
  const game = async () => {
    await answered(page, '2x2:1c5');
    assert.equal(new URL(page.url()).hash, '#p=2x2:0&m=0.2.6.7.8');
    assert.deepEqual(await page.$$eval('.player .boxes', (boxes) => boxes.map((box) => box.textContent)), ['0', '1']);
    assert.equal(await page.$$eval('#review .lines button', (lines) => lines.length), 5);
  };
  await game();
  // A position that is looked at is not changed; one that is changed keeps boxes and the player to move.
  await page.click('#edit');
  await page.click('#edit');
  await game();
  await page.click('#edit');
  await click(page, 3);
  await page.click('#edit');
  await answered(page, '2x2:1cd');
  assert.equal(new URL(page.url()).hash, '#p=2x2:1cd&b=1');
  await page.click('#notice button');
  await game();
  // A solved board is chosen, on a phone as well.
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.click('#new');
    await page.click('#served .chips button >> nth=0');
    await page.waitForFunction(() => !location.hash.startsWith('#p=2x2'));
    await page.waitForSelector('#notice:has-text("The game before is kept.")');
    // What it says covers nothing, and goes with the next action.
    const [notice, ...others] = await Promise.all(['#notice', '.play', 'header', 'aside'].map((part) => page.$eval(part, (part) => part.getBoundingClientRect().toJSON())));
    for (const other of others) {
      assert(notice.right <= other.left || notice.left >= other.right || notice.bottom <= other.top || notice.top >= other.bottom, JSON.stringify([notice, other]));
    }
    if (width === 390) await page.click('#paste');
    else await page.click('#notice button');
    await page.waitForFunction(() => document.querySelector('#notice').textContent === '');
    if (width === 390) {
      await page.keyboard.press('Escape');
      await page.goBack();
    }
    await game();
  }
  await page.click('#new');
  await page.fill('#cols', '1');
  await page.click('#setup [type=submit]');
  await answered(page, '2x1:0');
  await page.goBack();
  await game();
  await page.click('#puzzles');
  await page.waitForSelector('body[data-study=open]');
  await page.goBack();
  await page.waitForSelector('#study', { state: 'hidden' });
  await game();
  // Lines that were taken back are there after a reload.
  await page.click('#undo');
  await answered(page, '2x2:c5');
  await page.reload();
  await answered(page, '2x2:c5');
  await page.click('#redo');
  await game();
  await page.context().close();
}

/** The computer answers a line once more that was taken back and is drawn again; no variation is left. */
async function takenBack() {
  const page = await open('#p=2x2:0&opponent=B');
  await answered(page);
  for (let n = 0; n < 2; n += 1) {
    await click(page, 0);
    await page.waitForSelector('#board .drawn.by-b', { state: 'attached' });
    await page.waitForFunction(() => document.querySelector('.player.a.moves'));
    await page.click('#undo');
    await answered(page, '2x2:0');
  }
  assert.equal(await page.$$eval('#review .aside', (asides) => asides.length), 0);
  await page.context().close();
}

/** An address that cannot be read stays in the bar beside another game, until that goes on. */
async function badAddresses() {
  for (const [hash, why] of [['#p=3y3', 'unknown board'], ['#p=3x3:0&m=0.99', 'Line 99 cannot be drawn'], ['#p=2x2:0&side=C', 'side=C'], ['#p=2x2:0&penalty=x', 'penalty=x']]) {
    const page = await open(hash);
    await page.waitForFunction((why) => document.querySelector('#notice').textContent.includes(why), why);
    await answered(page);
    assert.equal(new URL(page.url()).hash, hash);
    await page.selectOption('#opponent', '');
    await click(page, 0);
    await page.waitForFunction(() => location.hash.includes('m=0'));
    assert.equal(await text(page, '#notice'), '');
    await page.context().close();
  }
}

/** Nobody is advised to do what is refused elsewhere, too. */
async function beyondAll() {
  const page = await open();
  for (const board of ['6x6', '7x7', '42x1']) {
    await page.evaluate((board) => { location.hash = `#p=${board}:0`; }, board);
    await page.waitForFunction((board) => document.querySelector('#solve').textContent.includes(`${board}:0 leaves`), board);
    assert.doesNotMatch(await text(page, '#solve'), /dab solve/);
  }
  await page.context().close();
}

/** A player who hurries back through a game passes positions whose solves are not needed any more. */
async function hurried() {
  const all = Array.from({ length: 60 }, (_, line) => line);
  const page = await open(`#p=5x5:0&m=${all.join('.')}`);
  await answered(page);
  for (let n = 0; n < 34; n += 1) {
    await page.keyboard.press('u');
    await page.waitForTimeout(150);
  }
  await answered(page, '5x5:3ffffff');
  assert(await page.isHidden('#solve'));
  await page.keyboard.press('End');
  await answered(page, '5x5:fffffffffffffff');
  // The review knows what was solved, and what took only a moment.
  await page.waitForFunction(() => Number(/^\d+(?= of 60)/.exec(document.querySelector('#review .unknown').textContent)) <= 26);
  await page.context().close();
}

/** Where a book knows the first lines of a finished game, the review finds the others. */
async function booked() {
  const moves = Array.from({ length: 38 }, (_, line) => (7 * line) % 38);
  const page = await open(`#p=3x5:0&m=${moves.join('.')}`);
  await answered(page);
  await page.waitForSelector('#review .unknown', { state: 'hidden' });
  const { lost } = JSON.parse(execFileSync(dab, ['review', '--json', `3x5 ${moves.join(' ')}`], { encoding: 'utf8', cwd: tmpdir() }));
  await page.waitForSelector(`#review .lost:has-text("Lost by mistakes: A ${lost[0]}, B ${lost[1]}.")`);
  await page.context().close();
}

async function drawnLines() {
  // Drawn lines are there for those who see no lines.
  const page = await open('#p=3x3:0&m=0');
  await answered(page);
  assert.equal(await page.getAttribute('#board .drawn', 'aria-label'), 'a4-b4, horizontal, top edge: drawn by A');
  await page.context().close();
}

async function onPhones() {
  for (const hash of ['#p=3x3:fff', '#p=5x5:95ba8b034400181', '#p=1x10:1f', '#p=triangles:closed:6:0']) {
    const page = await open(hash, { width: 390, height: 844, touch: true });
    await answered(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert(overflow <= 0, `${hash} is ${overflow} pixels too wide`);
    // A board that is wider says so.
    assert.equal(await page.isVisible('#wide'), hash.includes('1x10'));
    const before = await position(page);
    await page.tap('#board .line');
    await page.waitForFunction((before) => document.body.dataset.position !== before, before);
    await page.context().close();
  }
}

/** On the narrowest phones nothing stands out of the screen or over its neighbour, and a finished game tells its winner below the board. */
async function narrow() {
  const states = [
    ['', () => {}, { isNew: true }],
    ['', (page) => page.click('#new')],
    ['', (page) => page.click('#paste')],
    ['#p=2x2:0&m=0.2.6.7.8.1.3.4.5.9.10.11', async (page) => {
      await page.waitForSelector('#review .costs');
      const [said, board] = await Promise.all(['#said', '#board'].map((part) => page.$eval(part, (part) => part.getBoundingClientRect())));
      assert.equal(await text(page, '#said'), 'A tie.');
      assert(said.top >= board.bottom);
    }],
    ['#p=3x3:fff', (page) => page.click('#edit')],
    ['#p=3x3:fff', (page) => page.click('#share')],
    ['#p=3x3:fff&m=12', async (page) => {
      await page.click('#new');
      await page.click('#served .chips button');
      await page.waitForSelector('#notice button');
    }],
    ['#p=2x2:0', async (page) => {
      await page.click('#puzzles');
      await page.waitForSelector('body[data-study=open]');
      await answered(page);
      const { best, moves } = query(await position(page));
      await click(page, moves.find(({ line }) => !best.includes(line)).line);
      await page.waitForSelector('body[data-study=wrong]');
    }],
  ];
  for (const [hash, lead, options] of states) {
    const page = await open(hash, { width: 320, height: 640, touch: true, ...options });
    await answered(page);
    await lead(page);
    const bad = await page.evaluate(() => {
      const isShown = (element) => element.checkVisibility() && !element.closest('svg, .meaning') && getComputedStyle(element).clipPath === 'none';
      const root = document.querySelector('dialog[open]') ?? document.body;
      const parts = [...root.querySelectorAll('button, input, select, textarea, h1, h2, h3, p, label, li')].filter(isShown);
      const boxes = parts.map((part) => [part, part.getBoundingClientRect()]).filter(([, { width }]) => width > 1);
      const cards = boxes.map(([part, box]) => [part, box, part.closest('section, dialog, header, #notice, footer').getBoundingClientRect()]);
      const out = cards.filter(([, box, card]) => box.left < card.left || box.right > Math.min(card.right, document.documentElement.clientWidth));
      const over = boxes.filter(([part, box]) => boxes.some(([other, { left, right, top, bottom }]) => !part.contains(other) && !other.contains(part)
        && !part.closest('#notice') && !other.closest('#notice') && !part.closest('.lines')
        && Math.min(right, box.right) - Math.max(left, box.left) > 1 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1));
      return [...out, ...over].map(([part]) => part.outerHTML.slice(0, 80));
    });
    assert.deepEqual(bad, [], `${hash} ${lead}`);
    await page.context().close();
  }
}

async function screenshots() {
  const game = '#p=4x4:0&m=0.39.17.5.30.12.8.22.26.3.14.36.19.33.1.21.31.2.7.11.18.13.37.38';
  const phone = { width: 390, height: 844, scheme: 'dark' };
  const isStage = (page, stage) => page.waitForSelector(`body[data-study=${stage}]`);
  for (const [name, hash, options, lead] of [
    ['explorer', game, {}, () => {}],
    ['explorer-review', '#p=3x3:0&m=12.6.7.21.14.13.15.19.18.11.16.23.20.9.2.5.8.10.22.0.3.17.4.1', {}, async (page) => {
      await page.waitForSelector('#review .costs');
      await page.keyboard.press('Home');
      await page.click('#review .next');
      await page.click('#review .said button');
      await page.waitForSelector('#review .aside');
    }],
    ['explorer-puzzle', '#p=2x2:0', { scheme: 'dark' }, async (page) => {
      await page.click('#puzzles');
      await isStage(page, 'open');
      await page.selectOption('#study .group', '2');
      await page.waitForSelector('#study .title:has-text("of 30")');
      await answered(page);
      const { best, moves } = query(await position(page));
      await click(page, moves.find(({ line, kind }) => !best.includes(line) && kind === 'sacrifice').line);
      await page.waitForFunction(() => document.querySelector('.player.a.moves') && document.querySelector('#board .drawn.by-b'));
    }],
    ['explorer-lesson', '#p=2x2:0', phone, async (page) => {
      await page.click('#lessons');
      await isStage(page, 'open');
      await page.selectOption('#study .group', '2');
      await page.waitForSelector('#study .ask:has-text("double-cross")');
      await answered(page);
    }],
  ]) {
    const page = await open(hash, options);
    await answered(page);
    await lead(page);
    await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
    await page.context().close();
  }
}

// These do not depend on the way in which the page asks.
const ofServedPage = [keyboard, wholeGame, drawnLines, onPhones, narrow, ...(shots ? [screenshots] : [])];
await runAll([perfectGame, pasted, marked, solvedOnDemand, reviewed, variations, setUp, gamesAreKept, takenBack, badAddresses, beyondAll, hurried, booked, ...(server ? [] : ofServedPage)]);
await browser.close();
server?.close();
