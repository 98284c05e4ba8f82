// The page: a game, the answers to it, and all buttons and fields.

import * as api from './api.js';
import { BoardView } from './board.js';
import { html } from './element.js';
import { Game, NAMES, boardName, fromHash, mask, members } from './game.js';
import { horizon } from './horizon.js';
import { Opponent } from './opponent.js';
import * as panel from './panel.js';
import { ReviewView } from './review.js';
import { keep, recall } from './settings.js';
import { Share } from './share.js';
import { Solver } from './solve.js';
import { Study } from './study.js';
import { Why } from './why.js';
import { word } from './words.js';

const $ = (id) => document.getElementById(id);
/** Milliseconds before the other side draws its line. */
const THINKING = 450;
/** Milliseconds that a player rests on a position who does not only pass through. */
const REST = 250;
/** Milliseconds before a notice goes that is no error. */
const SAID = 10_000;
/** The number of answers that the page remembers. */
const REMEMBERED = 500;

let game = null;
/** The game as it was before it is edited. */
let edited = null;
/** The address and its game that were last written. The bar shows another one only if that cannot be read. */
let written = null;
let showing = 0;
let shown = -REST;
let thinking = null;
let fading = null;
const answers = new Map();
/** The guess for the position that is shown, if it has no answer. */
let guessed = null;
const boards = new Map();
const view = new BoardView($('board'), (line) => (edited ? edit(line) : draw(line)), (line) => why.point(line), claim);
const solver = new Solver($('solve'), () => {
  show();
  review.renew();
});
const review = new ReviewView($('review'), { onGo: go, onPlay: playOn, onChange: () => writeAddress('replaceState') });
const study = new Study($('study'), {
  onBegin: (task, how) => load({ ...task, opponent: null, isTask: true }, how), onGo: go, onLeave: () => history.back(), onShow: () => show(),
});
const share = new Share($('share-dialog'));
const why = new Why($('why'), $('said'));
const opponent = new Opponent($('opponent'), $('side'), () => {
  // The computer goes on from here.
  if (opponent.isOf(game.state().mover)) game.cut();
  show();
});

async function findBoard(name) {
  if (!boards.has(name)) boards.set(name, await api.board(name));
  return boards.get(name);
}

/** The answer for the position, remembered or asked for. */
async function findAnswer() {
  const key = `${game.position()} ${game.penalty}`;
  if (!answers.has(key)) {
    const answer = await api.query(game.position(), game.penalty);
    answers.set(key, answer);
    if (answers.size > REMEMBERED) answers.delete(answers.keys().next().value);
  }
  return answers.get(key);
}

/** Writes the address of the game into the bar, and the tree of games beside it. */
function writeAddress(how) {
  const address = game.toHash() + opponent.toHash() + (document.body.classList.contains('embedded') ? '&embed=1' : '');
  const state = { ...game.record(), study: study.place() };
  const all = JSON.stringify([address, state]);
  if (all === written) return;
  if (how) history[how](state, '', address);
  written = all;
  document.querySelector('#embedder a').href = location.pathname + address.replace('&embed=1', '');
}

/** Shows the game as it stands: at once without scores, then with them. */
async function show() {
  const turn = ++showing;
  const isHasty = performance.now() - shown < REST;
  shown = performance.now();
  clearTimeout(thinking);
  const state = game.state();
  const known = answers.get(`${game.position()} ${game.penalty}`);
  guessed = null;
  $('nimber-said').textContent = '';
  render(state, known ?? null);
  if (known) solver.leave();
  else solver.wait();
  if (edited) return;
  writeAddress('replaceState');
  if (isTheirs(state) && opponent.hasRules) opponent.line(game.position(), game.penalty).then((line) => reply(turn, line), () => {});
  let answer = known;
  try {
    answer = known ?? (await findAnswer());
  } catch (problem) {
    if (turn !== showing) return;
    if (problem.code !== 'not_solved') return solver.say('No answer', problem.message);
    if (isHasty) await new Promise((resolve) => setTimeout(resolve, REST));
    return turn === showing ? guess(turn, state) : undefined;
  }
  if (turn !== showing) return;
  if (!known) {
    solver.leave();
    render(state, answer);
  }
  if (isTheirs(state) && !opponent.hasRules) reply(turn, answer.best[Math.floor(Math.random() * answer.best.length)]);
}

/** Whether the computer is to move; it never replaces lines that were taken back. */
const isTheirs = ({ mover, isOver }) =>
  (study.task ? study.isRival(mover) : opponent.isOf(mover)) && !isOver && game.now === game.moves.length;

/** Draws the line of the computer, unless another position is shown by then. */
function reply(turn, line) {
  if (turn === showing) thinking = setTimeout(() => put(line), THINKING);
}

/** Without scores: has the position solved if that takes a moment. Until then an opponent guesses, who also moves if need be. */
async function guess(turn, state) {
  let isWaiting = false;
  const move = () => {
    if (isWaiting && guessed?.name && isTheirs(state) && !opponent.hasRules) reply(turn, guessed.line);
  };
  solver.want(game.position(), state.drawn, game.penalty, {
    isPlayed: game.moves.length > 0 && game.now === game.moves.length,
    horizon: () => horizon(game, state),
    onWait: () => {
      isWaiting = true;
      move();
    },
  });
  const guess = await api.opponent(game.position(), game.penalty).catch(() => null);
  if (turn !== showing) return;
  guessed = guess;
  render(state, null);
  move();
}

function render(state, known) {
  // Nobody begins with numbers, and none spoil a game against the computer: without a choice of the player they come with the first line of others.
  const withScores = recall('scores') ?? (state.drawn !== 0n && opponent.choice === null);
  const isHidden = study.isHidden || edited !== null;
  const answer = isHidden ? null : known;
  view.show(game, state, answer, withScores, edited !== null);
  study.show(game, state, known);
  if (edited || study.task) review.element.hidden = true;
  else review.show(game, state);
  $('kind').textContent = `${boardName(game.board.board)}${startName() === 'american' ? '' : `, ${startName() ?? 'set up'}`}`;
  document.title = `${$('kind').textContent} – Dots and Boxes`;
  $('scores').checked = withScores;
  $('legend').hidden = !withScores || isHidden;
  $('verdict').hidden = study.isHidden;
  $('more').hidden = isHidden || state.isOver || !withScores;
  $('penalty').value = game.penalty;
  const light = (lines) => view.light(lines);
  panel.tally($('tally'), state, opponent.turn(state, isTheirs(state)));
  const about = { answer: withScores || state.isOver ? answer : null, guess: isHidden ? null : guessed, withScores, players: `${opponent}`,
    onLearn: state.drawn === 0n && !withScores ? () => $('lessons').click() : null };
  panel.verdict($('verdict'), game, state, edited ? null : about);
  panel.bestPlay($('play'), game, state, study.stage === 'wrong' ? known : withScores ? answer : null, light, playAll);
  panel.components($('parts'), withScores ? answer : null, light);
  panel.theory($('theory'), withScores ? answer : null);
  why.show(game, state, { isHidden, answer, withScores });
  $('hint').hidden = state.isOver;
  $('hint').disabled = isHidden || isTheirs(state);
  $('rematch').hidden = !state.isOver;
  $('set-up').hidden = edited === null;
  $('against').hidden = edited !== null;
  $('swap').textContent = `${NAMES[1 - state.mover]} to move`;
  $('edit').setAttribute('aria-pressed', edited !== null);
  $('edit').textContent = edited ? 'Done' : 'Edit';
  $('undo').disabled = edited !== null || game.now === 0;
  $('redo').disabled = edited !== null || game.now === game.moves.length;
  document.body.dataset.position = game.position();
  document.body.dataset.state = known ? 'answered' : guessed ? 'guessed' : 'asking';
  fit();
}

function fit() {
  const table = $('board').parentElement;
  $('wide').hidden = table.scrollWidth <= table.clientWidth;
}

/** Says something about no position in particular, until the next action. */
function say(text, ...more) {
  clearTimeout(fading);
  const close = html('button', { type: 'button', 'aria-label': 'Close', onclick: () => say('') }, '×');
  $('notice').replaceChildren(...(text ? [html('span', {}, text), ...more, close] : []));
}

/** Has what was said go by itself, but not under the pointer or with the focus. */
function fade() {
  fading = setTimeout(() => ($('notice').matches(':hover, :focus-within') ? fade() : say('')), SAID);
}

/** The name of the start, if it is one of the usual ones. */
const startName = () => Object.entries(game.board.starts).find(([, lines]) => mask(lines) === game.start)?.[0];

function draw(line) {
  if (!game.isOpen(line)) return;
  if (study.task && (isTheirs(game.state()) || !study.tries(line, game, answers.get(`${game.position()} ${game.penalty}`)))) return;
  put(line);
}

function put(line) {
  say('');
  // A player against the computer takes lines back for good.
  game.draw(line, opponent.choice === null || review.isAsked);
  show();
}

function playAll(lines) {
  for (const line of lines) game.draw(line);
  show();
}

/** Shows a place in the tree of games, where a line may be drawn. */
function go(path, line) {
  game.go(path);
  if (line !== undefined) game.draw(line);
  show();
}

/** Shows the game after so many lines. */
function jump(now) {
  if (!edited && !study.isHidden && now >= 0 && now <= game.moves.length) go(game.moves.slice(0, now));
}

/** Goes on from here, against the computer if it does not play already. */
function playOn() {
  game.cut();
  if (opponent.choice === null) opponent.set({ player: 'perfect', side: 1 - game.state().mover });
  show();
}

/** Takes back the player's last line, and the lines with which the other side answered. */
function undo() {
  if (edited || study.isHidden) return;
  do game.undo();
  while (game.now > 0 && opponent.isOf(game.state().mover));
  show();
}

/** Shows a line that is best, or that seems so where no score is known. */
async function hint() {
  const turn = showing;
  const answer = await findAnswer().catch(() => null);
  const line = answer?.best[0] ?? (guessed ?? (await api.opponent(game.position(), game.penalty))).line;
  if (turn !== showing) return;
  why.advise(line, answer !== null);
  view.light([line]);
}

/** The same game again; against the computer with sides changed. */
function rematch() {
  const { choice } = opponent;
  if (choice) opponent.set({ ...choice, side: 1 - choice.side });
  const { board, start, side, owners, penalty } = game;
  return begin(new Game(board, { start, side, owners, penalty }));
}

/** Draws or takes away a line of the start. */
function edit(line) {
  game.start ^= 1n << BigInt(line);
  show();
}

/** Gives a closed box to the next owner: nobody, A, B, and so on. */
function claim(box) {
  const next = 1 + game.owners.findIndex((boxes) => boxes.includes(box));
  game.owners = game.owners.map((boxes, player) => [...boxes.filter((other) => other !== box), ...(player === next ? [box] : [])]);
  show();
}

function beginEdit() {
  const { drawn, mover, owner } = game.state();
  const owners = [0, 1].map((player) => owner.flatMap((of, box) => (of === player ? [box] : [])));
  edited = game;
  game = new Game(game.board, { start: drawn, side: mover, owners, penalty: game.penalty });
  show();
}

/** A position that was not changed stays one of its game. */
function endEdit() {
  const [before, after] = [edited.state(), game.state()];
  const { start, side } = game;
  game = edited;
  edited = null;
  if (['drawn', 'mover', 'owner'].every((key) => `${before[key]}` === `${after[key]}`)) return show();
  const owners = [0, 1].map((player) => after.owner.flatMap((of, box) => (of === player ? [box] : [])));
  return begin(new Game(game.board, { start, side, owners, penalty: game.penalty }));
}

/** Shows another game. The one before stays in the history of the browser, so that Back leads to it. */
function begin(next, how = 'pushState', isTask = false) {
  const before = edited ?? game;
  if (!isTask) study.leave();
  edited = null;
  game = next;
  const back = html('button', { type: 'button', onclick: () => history.back() }, 'Back to it');
  if (how) say('');
  if (how === 'pushState' && !isTask && before?.moves.length > 0) {
    say('The game before is kept.', back);
    fade();
  }
  writeAddress(how);
  show();
}

/** Begins a game that an address, a chip or a text describes, and shows it after `now` lines. */
async function load({ position, moves = [], now = moves.length, side = 0, owners, penalty = 0, opponent: choice, kept, isTask = false }, how) {
  const at = position.lastIndexOf(':');
  const board = await findBoard(position.slice(0, at));
  const start = mask(members(position.slice(at + 1)));
  const next = new Game(board, { start, side, owners, penalty });
  for (const line of moves) {
    if (!board.lines[line] || !next.isOpen(line)) throw new Error(`Line ${board.names[line] ?? line} cannot be drawn here.`);
    next.draw(line);
  }
  Object.assign(next, { now, ...kept });
  if (choice !== undefined) opponent.set(choice);
  return begin(next, how, isTask);
}

/** Begins the game or the position of a text in any notation. */
async function loadText(text, name) {
  const { start, moves, side, captured, penalty } = await api.read(text, name);
  await load({ position: start, moves, side: NAMES.indexOf(side), owners: captured, penalty, opponent: null });
}

/** Who comes without an address plays against the computer. */
const landing = () => ({ position: api.START ?? (sources.find(({ start, penalty }) => start === '4x4:0' && !penalty) ?? sources[0])?.start ?? '4x4:0', opponent: Opponent.landing() });

async function loadHash() {
  try {
    const { study: task } = history.state ?? {};
    if (task) return await study.open(task.name, task.id, 'replaceState');
    const said = fromHash(location.hash);
    document.body.classList.toggle('embedded', said.isEmbedded);
    if (!said.position) return await load(landing(), 'replaceState');
    // The server checks the position and returns its notation.
    const { start } = await api.read(said.position);
    // Lines that were taken back, variations and comments are beside the address.
    const { moves, ...kept } = history.state?.tree ? history.state : said;
    const isKept = kept.tree && said.moves.every((line, i) => moves[i] === line);
    await load({ ...said, position: start, ...(isKept ? { moves, kept } : {}), now: said.moves.length }, 'replaceState');
  } catch (problem) {
    say(location.hash ? `This address leads nowhere: ${problem.message}` : problem.message);
    if (!game) await load(landing(), null).catch((missing) => solver.say('No answer', missing.message));
  }
}

let sources = [];

for (const span of document.querySelectorAll('[data-word]')) span.replaceWith(word(span.dataset.word, span.textContent));
/** Lets the buttons of a dialog that close it do so. */
for (const button of document.querySelectorAll('dialog .close')) button.addEventListener('click', () => button.closest('dialog').close());

$('new').addEventListener('click', () => {
  const { rows, cols } = /^(?<rows>\d+)x(?<cols>\d+)$/.exec(game.board.board)?.groups ?? {};
  if (rows) [$('rows').value, $('cols').value] = [rows, cols];
  $('start').value = startName() ?? $('start').value;
  $('setup-error').textContent = '';
  $('new-game').showModal();
});
$('setup').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const board = await findBoard(`${$('rows').value}x${$('cols').value}`);
    $('new-game').close();
    begin(new Game(board, { start: mask(board.starts[$('start').value]), penalty: game.penalty }));
  } catch (problem) {
    $('setup-error').textContent = problem.message;
  }
});
$('undo').addEventListener('click', undo);
$('redo').addEventListener('click', () => jump(game.now + 1));
$('clear').addEventListener('click', () => {
  Object.assign(game, { start: 0n, owners: [[], []] });
  show();
});
$('swap').addEventListener('click', () => {
  game.side = 1 - game.side;
  show();
});
$('edit').addEventListener('click', () => (edited ? endEdit() : beginEdit()));
for (const name of ['puzzles', 'lessons']) $(name).addEventListener('click', () => study.open(name).catch((problem) => say(problem.message)));
$('penalty').addEventListener('change', () => {
  game.penalty = Math.max(0, Math.min(127, Math.round(Number($('penalty').value)) || 0));
  show();
});
$('nimber').addEventListener('click', async () => {
  const turn = showing;
  const text = await api.nimber(game.position()).then(panel.nimber, (problem) => problem.message);
  if (turn === showing) $('nimber-said').textContent = text;
});
$('share').addEventListener('click', () => share.show(game));
window.addEventListener('resize', fit);
$('scores').addEventListener('change', () => {
  keep('scores', $('scores').checked);
  show();
});
const colour = () => $('board').classList.toggle('colours', $('colours').checked);
$('colours').checked = recall('colours') ?? true;
$('colours').addEventListener('change', () => {
  keep('colours', $('colours').checked);
  colour();
});
colour();
$('hint').addEventListener('click', hint);
$('rematch').addEventListener('click', rematch);

$('paste').addEventListener('click', () => {
  $('text-error').textContent = '';
  $('dialog').showModal();
  $('text').focus();
});
$('load').addEventListener('click', async (event) => {
  event.preventDefault();
  if (!$('text').value.trim()) {
    $('text-error').textContent = 'There is nothing here yet: paste or write something first.';
    return;
  }
  try {
    await loadText($('text').value, $('text-board').value.trim() || undefined);
    $('dialog').close();
  } catch (problem) {
    $('text-error').textContent = problem.message;
  }
});

document.addEventListener('click', ({ target }) => {
  if (!target.closest('#notice')) say('');
}, { capture: true });
document.addEventListener('keydown', (event) => {
  if (!game || document.querySelector('dialog[open]') || event.target.closest('input:not([type=checkbox]), select, textarea') || event.altKey) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  // On the board arrows lead from line to line.
  const step = event.target.closest('#board') || control ? undefined
    : { arrowleft: game.now - 1, arrowright: game.now + 1, home: 0, end: game.moves.length }[key];
  if (step !== undefined && game.moves.length > 0) jump(step);
  else if (control ? key === 'z' && !event.shiftKey : key === 'u') undo();
  else if (control ? key === 'y' || (key === 'z' && event.shiftKey) : key === 'r') jump(game.now + 1);
  else if (!control && key === 's') $('scores').click();
  else if (!control && key === 'h' && !$('hint').disabled && !$('hint').hidden) hint();
  else return;
  event.preventDefault();
});
window.addEventListener('popstate', loadHash);

const served = api.sources().then((said) => {
  sources = said.sources;
  panel.served($('served'), sources, (position, penalty) => {
    $('new-game').close();
    load({ position, penalty });
  });
}).catch(() => {});
if (api.START) loadHash();
else served.then(loadHash);
