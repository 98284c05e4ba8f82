// Has axe-core look at every state of the page, on large and small screens, light and dark.
//
// Arguments: the address of the server or the directory of the site, and the dab program.

import { tmpdir } from 'node:os';
import { answered, asking, click, isAccessible, launch, opening, position, runAll } from './common.mjs';
import { serveFiles } from './files.mjs';

const [served, dab] = process.argv.slice(2);
const server = served.startsWith('http') ? null : await serveFiles(served);
const address = server?.address ?? served;
const browser = await launch();
const query = asking(dab, tmpdir());
const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844, touch: true }];
const LOOKS = SIZES.flatMap((size) => ['light', 'dark'].map((scheme) => ({ ...size, scheme })));

/** Opens a page in each look, and leads it through states; `check` names one. */
const inAllLooks = (begin, hash, lead, options) => Object.defineProperty(async () => {
  for (const look of LOOKS) {
    const page = await opening(browser, address)(hash, { ...look, ...options });
    await page.waitForSelector('body[data-state=answered], body[data-state=guessed]');
    const check = (what) => isAccessible(page, `${what}, ${look.width} ${look.scheme}`);
    await check(begin);
    await lead(page, check);
    await page.context().close();
  }
}, 'name', { value: begin.replaceAll(' ', '_') });

const isStage = (page, stage) => page.waitForSelector(`body[data-study=${stage}]`);

const STATES = [
  inAllLooks('first view', '', async (page, check) => {
    await page.click('#new');
    await check('a new game');
    await page.keyboard.press('Escape');
    await page.click('#paste');
    await page.fill('#text', '3x3:xyz');
    await page.click('#load');
    await page.waitForSelector('#text-error:not(:empty)');
    await check('a text that cannot be read');
  }, { isNew: true }),
  inAllLooks('scores of an endgame', '#p=3x3:fff&m=12.13', async (page, check) => {
    await page.focus('#board .line[tabindex="0"]');
    await check('a line that has the focus');
    await page.click('summary');
    await page.click('#nimber');
    await page.waitForSelector('#nimber-said:not(:empty)');
    await check('nimbers');
    await page.click('#edit');
    await check('a position that is set up');
  }),
  inAllLooks('words', '#p=3x3:fff', async (page, check) => {
    await page.click('#why .word');
    await page.waitForSelector('.meaning:popover-open');
    await check('a word with its picture');
  }),
  inAllLooks('a guess and an offer', '#p=5x5:95ba8b020000000', (page, check) => page.waitForSelector('#begin').then(() => check('an offer to solve'))),
  inAllLooks('a frame', '#p=3x3:fff&embed=1', () => {}),
  inAllLooks('a bad address', '#p=3y3', () => {}),
  inAllLooks('triangles', '#p=triangles:closed:6:0', () => {}),
  inAllLooks('a wide board', '#p=1x10:1f', () => {}),
  inAllLooks('no game yet', '#p=3x3:0', async (page, check) => {
    // A site has to solve it first.
    await answered(page, '3x3:0');
    await page.evaluate(() => { location.hash = '#p=3x3:0&m=0.5.7.12.3.8.20.22.11.1'; });
    await answered(page, '3x3:5019ab');
    await page.click('#review button.review');
    await page.waitForSelector('#review .graph .margin');
    await page.keyboard.press('Home');
    await check('a review');
    await page.click('#review .next');
    await page.click('#review .said button');
    await page.waitForSelector('#review .aside');
    await page.fill('#review .note', 'Better');
    await page.press('#review .note', 'Enter');
    await page.hover('#review .graph svg');
    await check('a variation with a comment');
    await page.click('#share');
    await page.waitForSelector('#share-dialog[open]');
    await check('a game to be shared');
  }),
  inAllLooks('a finished game of which little is known', `#p=5x5:0&m=${Array.from({ length: 60 }, (_, line) => line).join('.')}`, async (page, check) => {
    await page.waitForSelector('#review .unknown:visible');
    await check('lines that are not known');
  }),
  inAllLooks('a small board', '#p=2x2:0', async (page, check) => {
    await page.click('#puzzles');
    await isStage(page, 'open');
    await answered(page);
    await check('a puzzle');
    const { best, moves } = query(await position(page));
    await click(page, moves.find(({ line }) => !best.includes(line)).line);
    await isStage(page, 'wrong');
    await page.waitForSelector('#play .turn');
    await check('a refutation');
    await page.click('#study .again');
    await page.click('#study .answer');
    await isStage(page, 'shown');
    await page.waitForSelector('#board .pill');
    await check('an answer');
    await page.click('#study .next');
    await isStage(page, 'open');
    await answered(page);
    await click(page, query(await position(page)).best[0]);
    await isStage(page, 'right');
    await page.waitForSelector('#board .pill');
    await check('a puzzle that is solved');
  }),
  inAllLooks('another small board', '#p=1x1:0', async (page, check) => {
    await page.click('#lessons');
    await isStage(page, 'open');
    await check('a lesson');
    await page.selectOption('#study .group', '5');
    await page.waitForSelector('#study .title:has-text("Step 1 of 3")');
    await page.click('#study .next');
    await isStage(page, 'write');
    await check('an endgame to be written');
    await page.fill('#study .endgame', 'nothing');
    await page.press('#study .endgame', 'Enter');
    await page.waitForSelector('#study .said:not(:empty)');
    await check('an endgame that cannot be read');
  }),
];

await runAll(STATES);
await browser.close();
server?.close();
