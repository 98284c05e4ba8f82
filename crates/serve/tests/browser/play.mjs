// Drives the page as a player does: opponents, hints, reasons.
//
// Arguments: the address of the server or the directory of the site, and the dab program.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { answered, asking, click, isAccessible, launch, opening, position, runAll } from './common.mjs';
import { serveFiles } from './files.mjs';

const [served, dab] = process.argv.slice(2);
const server = served.startsWith('http') ? null : await serveFiles(served);
const address = server?.address ?? served;
const browser = await launch();
const open = opening(browser, address);
const query = asking(dab, tmpdir());

const hash = (page) => new URL(page.url()).hash;
const middle = (page) => page.textContent('.middle');
/** Waits until the other side has drawn and the player may. */
const isOurs = (page) => page.waitForFunction(() => ['your move', 'game over'].includes(document.querySelector('.middle')?.textContent), null, { timeout: 30_000 });

/** What a newcomer sees first. */
async function firstView() {
  for (const scheme of ['light', 'dark']) {
    const page = await open('', { isNew: true, scheme });
    await page.waitForSelector('body[data-state=answered], body[data-state=guessed]');
    await page.waitForSelector('#said:has-text("Join two neighbouring dots by a line.")');
    assert.equal(await page.inputValue('#opponent'), 'greedy');
    assert.equal(await page.$$eval('#board .pill, #board .drawn', (drawn) => drawn.length), 0);
    // A site, which has books, begins on 4x4; this server has the run of a smaller board.
    assert.equal(await position(page), server ? '4x4:0' : '3x3:0');
    assert.equal((await page.$$eval('#board .coordinate', (texts) => texts.map(({ textContent }) => textContent))).sort().join(' '), server ? '1 2 3 4 5 a b c d e' : '1 2 3 4 a b c d');
    await isAccessible(page, `the first view, ${scheme}`);
    // A ghost of the line under the pointer, in the colour of the player; then the line in that colour.
    const colour = (selector) => page.$eval(selector, (element) => getComputedStyle(element).stroke);
    const faint = await colour('#board .line[data-line="3"] .stroke');
    await page.hover('#board .line[data-line="3"]');
    const ghost = await colour('#board .line[data-line="3"] .stroke');
    assert.notEqual(ghost, faint);
    // Numbers spoil no game against the computer.
    await click(page, 3);
    await isOurs(page);
    assert.equal(await page.$$eval('#board .pill', (pills) => pills.length), 0);
    await page.click('#undo');
    await page.selectOption('#opponent', '');
    await click(page, 3);
    await answered(page);
    assert.equal(await colour('#board .drawn'), ghost);
    await page.waitForSelector('#board .pill');
    await page.uncheck('#colours');
    assert.notEqual(await colour('#board .drawn'), ghost);
    await page.reload();
    await answered(page);
    assert.notEqual(await colour('#board .drawn'), ghost);
    await page.context().close();
  }
}

async function perfectOpponent() {
  const page = await open('#p=2x2:0');
  await answered(page, '2x2:0');
  await page.selectOption('#opponent', 'perfect');
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

/** Each opponent plays a game to its end, and says at once that it thinks. */
async function opponents() {
  for (const player of ['greedy', 'caribou', 'perfect']) {
    const page = await open('#p=2x2:0', { isNew: true });
    await answered(page);
    await page.selectOption('#opponent', player);
    assert.equal(hash(page), `#p=2x2:0&opponent=B${player === 'perfect' ? '' : `&player=${player}`}`);
    for (;;) {
      await isOurs(page);
      if (await middle(page) === 'game over') break;
      const line = await page.$eval('#board .line', (line) => Number(line.dataset.line));
      // Whatever the answer takes, the page says whose turn it is with the line.
      const said = await page.evaluate((line) => {
        document.querySelector(`#board .line[data-line="${line}"] .area`).dispatchEvent(new MouseEvent('click', { bubbles: true }));
        return document.querySelector('.middle').textContent;
      }, line);
      assert.match(said, new RegExp(`^(your move|game over|${player[0].toUpperCase()}${player.slice(1)} is thinking…)$`));
    }
    // The next game has the sides changed; the computer begins.
    assert(await page.isHidden('#hint'));
    await page.click('#rematch');
    await page.waitForFunction(() => location.hash.includes('opponent=A') && location.hash.includes('m='));
    await isOurs(page);
    assert.equal(await page.inputValue('#side'), '1');
    // Taking back leads to the player's turn.
    const before = await position(page);
    await click(page, await page.$eval('#board .line', (line) => Number(line.dataset.line)));
    await isOurs(page);
    await page.click('#undo');
    await page.waitForFunction((before) => document.body.dataset.position === before, before);
    // The address has the opponent; the next visit the one that was chosen last.
    await page.reload();
    await page.waitForFunction((before) => document.body.dataset.position === before, before);
    assert.equal(await page.inputValue('#opponent'), player);
    assert.equal(await page.inputValue('#side'), '1');
    await page.goto('about:blank');
    await page.goto(address);
    await isOurs(page);
    assert.equal(await page.inputValue('#opponent'), player);
    await page.context().close();
  }
}

/** A hint is a best line, and says so. */
async function hints() {
  const page = await open('#p=3x3:fff&m=12');
  await answered(page);
  await page.keyboard.press('h');
  const best = query('3x3:1fff').best;
  await page.waitForSelector('#said:has-text("Hint: ")');
  assert.deepEqual(await page.$$eval('#board .line.lit', (lines) => lines.map((line) => Number(line.dataset.line))), [best[0]]);
  assert.doesNotMatch(await page.textContent('#said'), /No proof/);
  // A hint for one position does not stay on the next.
  await click(page, best[0]);
  await page.waitForFunction(() => !document.querySelector('#said').textContent.includes('Hint'));
  await page.goto(`${address}#p=5x5:7`);
  await page.waitForFunction(() => document.body.dataset.position === '5x5:7');
  await page.click('#hint');
  await page.waitForSelector('#said:has-text("No proof that it is best.")');
  await page.context().close();
}

/** Reasons in words that players know, and words that are explained. */
async function reasons() {
  const page = await open('#p=3x3:fff');
  await answered(page);
  await page.waitForSelector('#why .outlook:has-text("3 long chains are left. B is in control.")');
  await page.hover('#board .line[data-line="12"]');
  await page.waitForSelector('#said:has-text("a3-a4 opens a 3-chain: B takes 1 and hands out 2 to keep control, or takes all 3.")');
  const { score, moves } = query('3x3:fff');
  const gain = moves.find(({ line }) => line === 12).score;
  assert.equal(gain, score);
  await page.waitForSelector(`#said:has-text("Then ${gain > 0 ? 'A' : 'B'} gains ${Math.abs(gain)}, which is best.")`);
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => !document.querySelector('#said').textContent.includes('a3-a4'));
  // The legend explains its words.
  await page.click('#legend button:has-text("loony")');
  await page.waitForSelector('.meaning:popover-open:has-text("make a handout and keep control")');
  await page.keyboard.press('Escape');
  // The keyboard says the same.
  await page.focus('#board .line[tabindex="0"]');
  await page.waitForSelector('#said:has-text("opens a 3-chain")');
  await page.click('#why button:has-text("control")');
  await page.waitForSelector('.meaning:popover-open svg');
  await isAccessible(page, 'a word with its picture');
  await page.keyboard.press('Escape');
  await click(page, 12);
  await answered(page, '3x3:1fff');
  await page.mouse.move(5, 5);
  await page.waitForSelector('#said:has-text("A: a3-a4 opens a 3-chain")');
  // Two boxes are left of a chain, and another chain beside them.
  await page.goto(`${address}#p=3x3:3ffff`);
  await page.waitForFunction(() => document.body.dataset.position === '3x3:3ffff');
  await page.waitForSelector('#why .outlook:has-text("Beside the 2 boxes that A can take, 1 long chain is left. A can keep control by a handout.")');
  // Where the rule of thumb errs, the tables say so.
  await page.goto(`${address}#p=5x5:a35949a76747e4f`);
  await answered(page, '5x5:a35949a76747e4f');
  await page.waitForSelector('#why .rule:has-text("open what costs least: a3-b3 b3-c3 b3-b4 b2-b3. It loses 2 here.")');
  // Beyond all tables the rules speak.
  await page.goto(`${address}#p=7x7:0&m=0`);
  await page.waitForSelector('#why .outlook:has-text("long chains are likely to come. By the long-chain rule B needs an")');
  await page.hover('#board .line[data-line="70"]');
  await page.waitForSelector('#said:has-text("is safe") .tag:has-text("rule of thumb")');
  assert.match(await page.textContent('#said'), /^\S+ is safe\. \d+ long chains are likely, and [AB] would have to open the first: good for [AB]\. /);
  await page.context().close();
}

/** Where no score is known, the page says so once, and from which line on there are some; they come while one thinks. */
async function unknown() {
  const page = await open('#p=5x5:0');
  await page.waitForFunction(() => /From about line \d+ on it is exact/.test(document.querySelector('#solve').textContent), null, { timeout: 60_000 });
  const line = Number(/line (\d+)/.exec(await page.textContent('#solve'))[1]);
  assert(line > 4 && line < 30, line);
  await page.waitForSelector('#verdict .small:has-text("Score not known yet, but it cannot be a tie")');
  // What was said stays, as it was, on the next unknown position.
  await page.evaluate(() => { window.said = document.querySelector('#solve').innerText; });
  await click(page, 0);
  await page.waitForSelector('body[data-position="5x5:1"][data-state=guessed]');
  assert.equal(await page.isVisible('#solve details'), true);
  assert.equal(await page.evaluate(() => window.said === document.querySelector('#solve').innerText), true);
  // With 11 lines drawn the solve is too long for a moment. It begins unasked, and the other side goes on without it.
  await page.evaluate(() => { location.hash = '#p=5x5:2302d0380000000&opponent=B'; });
  await page.waitForFunction(() => document.body.dataset.position === '5x5:2302d0380000000');
  await page.waitForSelector('#begin');
  await click(page, 16);
  await page.waitForSelector('#solve progress', { timeout: 60_000 });
  await page.waitForFunction(() => document.querySelectorAll('#board .drawn').length === 12, null, { timeout: 60_000 });
  // It goes on, or a shorter one in its place, until the player does not want it.
  await page.waitForSelector('#solve progress', { timeout: 60_000 });
  await page.click('#cancel');
  await page.waitForSelector('#solve:has-text("It was cancelled.")');
  await page.click('#board .line .area');
  await page.waitForSelector('#begin', { timeout: 60_000 });
  await page.context().close();
}

/** A game leaves the page as a link, a frame, and pictures. */
async function shared() {
  const page = await open('#p=2x2:0&m=0.2.6.7.8');
  await answered(page, '2x2:1c5');
  await page.click('#undo');
  await answered(page, '2x2:c5');
  await page.click('#share');
  await isAccessible(page, 'sharing');
  assert.equal(await page.inputValue('#share-game'), `${address}#p=2x2:0&m=0.2.6.7.8`);
  assert.equal(await page.inputValue('#share-position'), `${address}#p=2x2:c5`);
  const saved = async (kind) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(`#share-dialog [data-picture="${kind}"]`)]);
    assert.equal(file.suggestedFilename(), `2x2.${kind}`);
    return readFileSync(await file.path());
  };
  const png = await saved('png');
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  assert(png.readUInt32BE(16) > 400 && png.length > 3000, `${png.length}`);
  assert.match((await saved('svg')).toString(), /^<svg/);
  // One frame for the start and one for each line, also those that were taken back.
  const gif = await saved('gif');
  assert.equal(gif.subarray(0, 6).toString(), 'GIF89a');
  assert.equal(gif.toString('latin1').split('\x21\xf9\x04').length - 1, 6);
  // A frame has the game alone; it can be played on, and leads to the page.
  const [, source] = /src="([^"]*)"/.exec(await page.inputValue('#share-frame'));
  await page.context().close();
  const frame = await open(new URL(source.replaceAll('&amp;', '&')).hash, { width: 420, height: 540 });
  await answered(frame, '2x2:1c5');
  assert(await frame.isHidden('nav') && await frame.isHidden('aside'));
  assert.equal(await frame.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true);
  await click(frame, 1);
  await frame.waitForFunction(() => location.hash.includes('m=0.2.6.7.8.1&embed=1'));
  assert.match(await frame.getAttribute('#embedder a', 'href'), /#p=2x2:0&m=0\.2\.6\.7\.8\.1$/);
  await frame.context().close();
}

/** A position is set up: lines, whose boxes are whose, and who moves. */
async function setUpWhole() {
  const page = await open('#p=2x2:0&m=0');
  await answered(page, '2x2:1');
  await page.click('#edit');
  for (const line of [2, 6, 7]) await click(page, line);
  const owner = () => page.getAttribute('#board [data-claim="0"]', 'aria-label');
  assert.equal(await owner(), 'closed box 1, of nobody');
  await isAccessible(page, 'a closed box that is set up');
  await page.click('#board [data-claim="0"]');
  assert.equal(await owner(), 'closed box 1, of A');
  // The focus stays, so that the keyboard goes on.
  await page.keyboard.press('Enter');
  assert.equal(await owner(), 'closed box 1, of B');
  await page.click('#swap');
  await page.click('#edit');
  await answered(page, '2x2:c5');
  assert.equal(hash(page), '#p=2x2:c5&b=1');
  assert.deepEqual(await page.$$eval('.player .boxes', (boxes) => boxes.map((box) => box.textContent)), ['0', '1']);
  await page.click('#edit');
  await page.click('#swap');
  await page.click('#edit');
  await page.waitForFunction(() => location.hash === '#p=2x2:c5&side=B&b=1');
  await page.click('#edit');
  await page.click('#clear');
  await page.click('#edit');
  await answered(page, '2x2:0');
  await page.context().close();
}

/** Addresses of one position that are written in other ways lead to the one that all share. */
async function canonical() {
  for (const other of ['3X3:FFF', '3x3:0xfff', '3×3:fff', '3x3:0fff']) {
    const page = await open(`#p=${encodeURIComponent(other)}`);
    await answered(page, '3x3:fff');
    assert.equal(hash(page), '#p=3x3:fff');
    await page.context().close();
  }
}

// These do not depend on the way in which the page asks, or need all cores.
const ofServedPage = [hints, reasons, unknown];
await runAll([firstView, opponents, perfectOpponent, shared, canonical, setUpWhole, ...(server ? [] : ofServedPage)]);
await browser.close();
server?.close();
