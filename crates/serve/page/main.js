// The page: a game, the server's answers to it, and all buttons and fields.

import * as api from './api.js';
import { BoardView } from './board.js';
import { Game, NAMES, boardName, fromHash, mask, members } from './game.js';
import * as panel from './panel.js';
import { Puzzles } from './puzzle.js';
import { ReviewView } from './review.js';
import { Solver } from './solve.js';

const $ = (id) => document.getElementById(id);
/** Milliseconds before the other side draws its line. */
const THINKING = 450;
/** The number of answers that the page remembers. */
const REMEMBERED = 500;

let game = null;
let showing = 0;
let thinking = null;
const answers = new Map();
/** The guess for the position that is shown, if it has no answer. */
let guessed = null;
const boards = new Map();
const view = new BoardView($('board'), (line) => (isEdited() ? edit(line) : draw(line)));
const solver = new Solver($('solve'), () => show());
const review = new ReviewView($('review'), (now) => {
  game.jump(now);
  show();
});
const puzzles = new Puzzles($('puzzle-list'), $('puzzle'), ({ position, penalty }) => load({ position, penalty, isPuzzle: true }), () => show());

const isEdited = () => $('edit').getAttribute('aria-pressed') === 'true';

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

/** Shows the game as it stands: at once without scores, then with them. */
async function show() {
  const turn = ++showing;
  clearTimeout(thinking);
  history.replaceState(null, '', game.toHash());
  const state = game.state();
  const known = answers.get(`${game.position()} ${game.penalty}`);
  guessed = null;
  render(state, known ?? null);
  if (known) solver.leave();
  else solver.wait();
  if (isEdited()) return;
  let answer = known;
  try {
    answer = known ?? (await findAnswer());
  } catch (problem) {
    if (turn !== showing) return;
    if (problem.code !== 'not_solved') return solver.say('No answer', problem.message);
    return guess(turn, state);
  }
  if (turn !== showing) return;
  if (!known) {
    solver.leave();
    render(state, answer);
  }
  if (isTheirs(state)) {
    const best = answer.best[Math.floor(Math.random() * answer.best.length)];
    thinking = setTimeout(() => draw(best), THINKING);
  }
}

const isTheirs = ({ mover, isOver }) => $('opponent').value !== '' && Number($('opponent').value) === mover && !isOver;

/** Without scores: has the position solved if that takes a moment. Until then an opponent guesses, who also moves if need be. */
async function guess(turn, state) {
  let isOffered = false;
  const move = () => {
    if (turn === showing && isOffered && guessed?.name && isTheirs(state)) thinking = setTimeout(() => draw(guessed.line), THINKING);
  };
  solver.want(game.position(), state.drawn, game.penalty, () => {
    isOffered = true;
    move();
  });
  const guess = await api.opponent(game.position(), game.penalty).catch(() => null);
  if (turn !== showing) return;
  guessed = guess;
  render(state, null);
  move();
}

function render(state, known) {
  const withScores = $('scores').checked;
  const isHidden = puzzles.isOpen || isEdited();
  const answer = isHidden ? null : known;
  view.show(game, state, answer, withScores, isEdited());
  if (isEdited()) {
    review.element.hidden = true;
  } else {
    review.show(game, state);
  }
  puzzles.show(game.board.names, state.mover);
  $('kind').textContent = `${boardName(game.board.board)}${startName() === 'american' ? '' : `, ${startName() ?? 'set up'}`}`;
  document.title = `${$('kind').textContent} – Dots and Boxes`;
  $('more').hidden = isHidden || state.isOver;
  $('nimber-said').textContent = '';
  $('penalty').value = game.penalty;
  const light = (lines) => view.light(lines);
  panel.tally($('tally'), state);
  panel.verdict($('verdict'), game, state, answer, withScores && !isHidden ? guessed : null);
  panel.bestPlay($('play'), game, state, withScores ? answer : null, light, playAll);
  panel.components($('parts'), answer, light);
  panel.theory($('theory'), withScores ? answer : null);
  $('undo').disabled = $('reset').disabled = game.now === 0;
  $('redo').disabled = game.now === game.moves.length;
  document.body.dataset.position = game.position();
  document.body.dataset.state = known ? 'answered' : guessed ? 'guessed' : 'asking';
  const table = $('board').parentElement;
  $('wide').hidden = table.scrollWidth <= table.clientWidth;
}

/** The name of the start, if it is one of the usual ones. */
const startName = () => Object.entries(game.board.starts).find(([, lines]) => mask(lines) === game.start)?.[0];

function draw(line) {
  if (!game.isOpen(line)) return;
  if (puzzles.isOpen && !puzzles.tries(line, game.board.names, game.state().mover)) return;
  game.draw(line);
  show();
}

function playAll(lines) {
  for (const line of lines) game.draw(line);
  show();
}

/** Takes back the player's last line, and the lines with which the other side answered. */
function undo() {
  const theirs = $('opponent').value;
  do game.undo();
  while (theirs !== '' && game.now > 0 && game.state().mover === Number(theirs));
  show();
}

function redo() {
  game.redo();
  show();
}

/** Draws or takes away a line of the start. */
function edit(line) {
  game.start ^= 1n << BigInt(line);
  show();
}

function setEdited(isEdited) {
  $('edit').setAttribute('aria-pressed', isEdited);
  $('edit').textContent = isEdited ? 'Done' : 'Edit';
  for (const name of ['undo', 'redo', 'reset']) $(name).disabled = true;
}

function begin(next, isPuzzle = false) {
  if (!isPuzzle) puzzles.leave();
  setEdited(false);
  game = next;
  const { rows, cols } = /^(?<rows>\d+)x(?<cols>\d+)$/.exec(game.board.board)?.groups ?? {};
  if (rows) [$('rows').value, $('cols').value] = [rows, cols];
  $('start').value = startName() ?? $('start').value;
  return show();
}

/** Begins a game that an address, a chip or a text describes. */
async function load({ position, moves = [], side = 0, owners, penalty = 0, isPuzzle = false }) {
  const at = position.lastIndexOf(':');
  const board = await findBoard(position.slice(0, at));
  const start = mask(members(position.slice(at + 1)));
  const next = new Game(board, { start, side, owners, penalty });
  for (const line of moves) {
    if (!board.lines[line] || !next.isOpen(line)) throw new Error(`Line ${board.names[line] ?? line} cannot be drawn here.`);
    next.draw(line);
  }
  return begin(next, isPuzzle);
}

/** Begins the game or the position of a text in any notation. */
async function loadText(text, name) {
  const { start, moves, side, captured, penalty } = await api.read(text, name);
  await load({ position: start, moves, side: NAMES.indexOf(side), owners: captured, penalty });
}

async function loadHash() {
  const said = fromHash(location.hash);
  try {
    if (!said.position) return await load({ position: await firstPosition() });
    // The server checks the position and returns its notation.
    const { start } = await api.read(said.position);
    await load({ ...said, position: start });
  } catch (problem) {
    if (!game) await load({ position: '3x3:0' });
    solver.say('This address leads nowhere', problem.message);
  }
}

let sources = [];
const firstPosition = async () => sources[0]?.start ?? '3x3:0';

$('setup').addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const board = await findBoard(`${$('rows').value}x${$('cols').value}`);
    await begin(new Game(board, { start: mask(board.starts[$('start').value]), penalty: game.penalty }));
  } catch (problem) {
    solver.say('No such board', problem.message);
  }
});
$('undo').addEventListener('click', undo);
$('redo').addEventListener('click', redo);
$('reset').addEventListener('click', () => {
  game.now = 0;
  show();
});
$('edit').addEventListener('click', () => {
  if (isEdited()) return begin(new Game(game.board, { start: game.start, penalty: game.penalty }));
  const { drawn } = game.state();
  begin(new Game(game.board, { start: drawn, penalty: game.penalty }));
  setEdited(true);
  return show();
});
$('puzzles').addEventListener('click', () => puzzles.choose());
$('penalty').addEventListener('change', () => {
  game.penalty = Math.max(0, Math.min(127, Math.round(Number($('penalty').value)) || 0));
  show();
});
$('nimber').addEventListener('click', async () => {
  const turn = showing;
  const text = await api.nimber(game.position()).then(panel.nimber, (problem) => problem.message);
  if (turn === showing) $('nimber-said').textContent = text;
});
$('copy').addEventListener('change', async () => {
  const notation = $('copy').value;
  $('copy').value = '';
  try {
    const text = notation === 'game' ? game.toText() : (await api.write(game.toHash(), notation)).text;
    await navigator.clipboard.writeText(text);
    $('copied').textContent = 'Copied';
  } catch (problem) {
    $('copied').textContent = problem.message;
  }
  setTimeout(() => { $('copied').textContent = ''; }, 4000);
});
window.addEventListener('resize', () => game && render(game.state(), answers.get(`${game.position()} ${game.penalty}`) ?? null));
$('scores').addEventListener('change', () => show());
$('opponent').addEventListener('change', () => show());

$('paste').addEventListener('click', () => {
  $('text-error').textContent = '';
  $('dialog').showModal();
  $('text').focus();
});
$('close').addEventListener('click', () => $('dialog').close());
$('load').addEventListener('click', async (event) => {
  event.preventDefault();
  try {
    await loadText($('text').value, $('text-board').value.trim() || undefined);
    $('dialog').close();
  } catch (problem) {
    $('text-error').textContent = problem.message;
  }
});

document.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]') || event.target.closest('input:not([type=checkbox]), select, textarea') || event.altKey) return;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control ? key === 'z' && !event.shiftKey : key === 'u') undo();
  else if (control ? key === 'y' || (key === 'z' && event.shiftKey) : key === 'r') redo();
  else if (!control && key === 's') $('scores').click();
  else return;
  event.preventDefault();
});
window.addEventListener('hashchange', loadHash);

api.sources().then((said) => {
  sources = said.sources;
  panel.served($('served'), sources, (position, penalty) => load({ position, penalty }));
}).catch(() => {}).finally(loadHash);
