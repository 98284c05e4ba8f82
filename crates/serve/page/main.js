// The page: a game, the server's answers to it, and all buttons and fields.

import * as api from './api.js';
import { BoardView } from './board.js';
import { Game, NAMES, fromHash, mask, members } from './game.js';
import * as panel from './panel.js';
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
const boards = new Map();
const view = new BoardView($('board'), (line) => draw(line));
const solver = new Solver($('solve'), () => show());

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
  render(state, known ?? null);
  if (known) solver.leave();
  let answer = known;
  try {
    answer = known ?? (await findAnswer());
  } catch (problem) {
    if (turn !== showing) return;
    if (problem.code === 'not_solved') return solver.want(game.position(), state.drawn, game.penalty);
    return solver.say('No answer', problem.message);
  }
  if (turn !== showing) return;
  if (!known) {
    solver.leave();
    render(state, answer);
  }
  const isTheirs = $('opponent').value !== '' && Number($('opponent').value) === state.mover;
  if (isTheirs && !state.isOver) {
    const best = answer.best[Math.floor(Math.random() * answer.best.length)];
    thinking = setTimeout(() => draw(best), THINKING);
  }
}

function render(state, answer) {
  const withScores = $('scores').checked;
  view.show(game, state, answer, withScores);
  const light = (lines) => view.light(lines);
  panel.tally($('tally'), state);
  panel.verdict($('verdict'), game, state, answer);
  panel.bestPlay($('play'), game, state, withScores ? answer : null, light, playAll);
  panel.components($('parts'), answer, light);
  panel.theory($('theory'), withScores ? answer : null);
  $('undo').disabled = $('reset').disabled = game.now === 0;
  $('redo').disabled = game.now === game.moves.length;
  document.body.dataset.position = game.position();
  document.body.dataset.state = answer ? 'answered' : 'asking';
}

function draw(line) {
  if (!game.isOpen(line)) return;
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

function begin(next) {
  game = next;
  const { rows, cols } = /^(?<rows>\d+)x(?<cols>\d+)$/.exec(game.board.board)?.groups ?? {};
  if (rows) [$('rows').value, $('cols').value] = [rows, cols];
  const start = Object.entries(game.board.starts).find(([, lines]) => mask(lines) === game.start);
  if (start) $('start').value = start[0];
  return show();
}

/** Begins a game that an address, a chip or a text describes. */
async function load({ position, moves = [], side = 0, owners, penalty = 0 }) {
  const at = position.lastIndexOf(':');
  const board = await findBoard(position.slice(0, at));
  const start = mask(members(position.slice(at + 1)));
  const next = new Game(board, { start, side, owners, penalty });
  for (const line of moves) {
    if (!board.lines[line] || !next.isOpen(line)) throw new Error(`Line ${line} cannot be drawn here.`);
    next.draw(line);
  }
  return begin(next);
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
  if ($('dialog').open || event.target.closest('input:not([type=checkbox]), select, textarea') || event.altKey) return;
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
