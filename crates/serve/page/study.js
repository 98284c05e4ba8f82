// Puzzles and lessons: positions with a task, one after the other. Scores stay hidden until the task is done or its answer is asked
// for. A wrong line is drawn, and the other side refutes it.

import * as api from './api.js';
import { html } from './element.js';
import { NAMES } from './game.js';
import { LESSONS } from './lessons.js';
import { keep, recall } from './settings.js';

const GRADES = ['Easy', 'Medium', 'Hard', 'Very hard', 'From books'];
/** A puzzle with more best lines is none. */
const MOST = 4;

const result = (score, by) => (score === 0 ? 'a tie' : `${NAMES[score > 0 ? by : 1 - by]} wins by ${Math.abs(score)}`);

/** Puzzles as tasks, by grade. */
async function puzzles() {
  const list = (await api.problems()).filter(({ best }) => best.length <= MOST);
  const ask = ({ score, best }) => `is to move. ${best.length > 1 ? 'Draw a best line.'
    : `One line alone ${score > 0 ? 'wins' : score === 0 ? 'ties' : 'is best'}: find it.`}`;
  const task = (puzzle) => ({ ...puzzle, id: puzzle.position, ask: `A ${ask(puzzle)}`, group: (puzzle.grade ?? GRADES.length) - 1,
    right: puzzle.grade ? '' : `${puzzle.name}. ${puzzle.source}.` });
  return { title: 'Puzzle', groups: GRADES, tasks: list.map(task).sort((a, b) => a.group - b.group) };
}

const lessons = () => ({ title: 'Step', groups: LESSONS.map(([name], i) => `${i + 1}. ${name}`),
  tasks: LESSONS.flatMap(([, steps], group) => steps.map((step, i) => ({ ...step, id: `${group}.${i}`, group }))) });

const COURSES = { puzzles, lessons };

export class Study {
  /** Calls `onBegin` with a position that is to be shown, `onGo` with the lines that are to stand in it, `onLeave` at the end. */
  constructor(element, { onBegin, onGo, onLeave, onShow }) {
    this.find = (name) => element.querySelector(`.${name}`);
    Object.assign(this, { element, onBegin, onGo, onShow, task: null, done: recall('done') ?? {} });
    const on = (name, act) => this.find(name).addEventListener('click', act);
    on('next', () => this.next());
    on('again', () => this.again());
    on('answer', () => this.tell());
    on('close', onLeave);
    this.find('group').addEventListener('change', ({ target }) => this.begin(this.first(Number(target.value)), 'replaceState'));
    this.find('write').addEventListener('submit', (event) => {
      event.preventDefault();
      this.write(this.find('endgame').value);
    });
  }

  /** Opens the puzzles or the lessons where the player left them, or at the task of an id. */
  async open(name, id, how) {
    if (this.name !== name) Object.assign(this, { course: await COURSES[name](), name });
    const { tasks, groups } = this.course;
    this.find('group').replaceChildren(...groups.map((group, i) => html('option', { value: i }, group)));
    const group = recall(name) ?? 0;
    if (!how) this.focus = 'board';
    return this.begin(tasks.find((task) => task.id === id) ?? tasks.find((task) => task.group >= group && !this.done[task.id]) ?? this.first(group), how);
  }

  ofGroup(group) {
    return this.course.tasks.filter((task) => task.group === group);
  }

  /** The first task of a group that is not done. */
  first(group) {
    const tasks = this.ofGroup(group);
    return tasks.find(({ id }) => !this.done[id]) ?? tasks[0];
  }

  /** The next step of a lesson, or the next puzzle that is not done, of the same grade if there is one. */
  next() {
    const { task, course: { tasks } } = this;
    const others = [...tasks.slice(tasks.indexOf(task) + 1), ...tasks.slice(0, tasks.indexOf(task))];
    const left = this.name === 'puzzles' ? others.filter(({ id }) => !this.done[id]) : [];
    this.focus = 'board';
    return this.begin(left.find(({ group }) => group === task.group) ?? left[0] ?? others[0], 'replaceState');
  }

  /** Shows a task. */
  async begin(task, how) {
    const { position, penalty, side = 0, you = side } = task;
    Object.assign(this, { task, you, stage: task.write === undefined ? 'open' : 'write', isClean: true, said: '', before: [] });
    keep(this.name, task.group);
    this.find('endgame').value = '';
    await this.onBegin({ position, penalty, side }, how);
  }

  /** Sets up an endgame that the player has written. */
  async write(text) {
    try {
      const { start: position } = await api.read(text.trim());
      Object.assign(this, { stage: 'open', said: '' });
      await this.onBegin({ position }, 'replaceState');
    } catch (problem) {
      this.say(problem.message);
    }
  }

  leave() {
    this.task = null;
  }

  /** What the history of the browser has to know. */
  place() {
    return this.task && { name: this.name, id: this.task.id };
  }

  /** Whether scores stay hidden. */
  get isHidden() {
    return this.task !== null && ['write', 'open', 'wrong'].includes(this.stage);
  }

  /** Whether the computer draws for this player, with the best lines that there are. */
  isRival(mover) {
    return mover !== this.you && (this.stage === 'wrong' || (this.task.whole && this.stage !== 'write'));
  }

  /** Whether a line will do. */
  suits(line, { moves, score }) {
    const { best, goal } = this.task;
    if (best) return best.includes(line);
    const move = moves.find((move) => move.line === line);
    return goal === 'any' || (goal ? move.kind === goal : move.score === score);
  }

  /** Whether the player may draw a line: a wrong one, too, but nothing before the page knows the scores. */
  tries(line, game, answer) {
    const { stage, task: { best, whole, goal } } = this;
    if (stage === 'write') this.say('Write the endgame first.');
    if (stage !== 'open') return stage !== 'write';
    if (!answer && !best) return false;
    const name = game.board.names[line];
    const move = answer?.moves.find((move) => move.line === line);
    if (this.suits(line, answer ?? {})) {
      this.said = '';
      if (!whole) this.end(`${name} is right${move && !goal ? `: ${result(move.score, this.you)}` : ''}.`);
      return true;
    }
    const cost = move && answer.score - move.score;
    Object.assign(this, { stage: 'wrong', isClean: false, before: game.path() });
    this.said = goal ? `${name} is not ${{ capture: 'the fourth side of a box', safe: 'safe' }[goal]}.`
      : !cost ? `${name} is not a best line.`
        : `${name} costs ${cost}${whole ? '' : `: now ${result(move.score, this.you)}; with a best line ${result(answer.score, this.you)}`}.`;
    this.focus = 'again';
    return true;
  }

  end(said) {
    this.stage = 'right';
    this.focus = 'next';
    this.said = [said, this.task.right].join(' ').trim();
    // A puzzle counts at the first try.
    if (this.isClean || this.name === 'lessons') keep('done', Object.assign(this.done, { [this.task.id]: 1 }));
  }

  again() {
    Object.assign(this, { stage: 'open', said: '', focus: 'board' });
    this.onGo(this.before);
  }

  /** Names the lines that will do, where the player has gone wrong or is. */
  tell() {
    const isWrong = this.stage === 'wrong';
    Object.assign(this, { stage: 'shown', isClean: false, said: '', focus: 'board' });
    if (isWrong) this.onGo(this.before);
    else this.onShow();
  }

  say(said) {
    this.find('said').textContent = this.said = said;
  }

  /** Shows the task beside a state of the game, with the answer if it is known. */
  show(game, state, answer) {
    const { task, element, course } = this;
    element.hidden = task === null;
    if (task?.whole && state.isOver && ['open', 'shown'].includes(this.stage)) this.end(`The end: ${result(state.tally[this.you] - state.tally[1 - this.you], this.you)}.`);
    document.body.dataset.study = task ? this.stage : '';
    if (!task) return;
    element.dataset.you = NAMES[this.you];
    const group = this.ofGroup(task.group);
    this.find('title').textContent = `${course.title} ${group.indexOf(task) + 1} of ${group.length}`;
    this.find('group').value = task.group;
    this.find('ask').textContent = task.ask;
    this.find('write').hidden = this.stage !== 'write';
    const lines = this.stage === 'shown' && !state.isOver && (answer || task.best) ? game.board.names.filter((_, line) => !((state.drawn >> BigInt(line)) & 1n) && this.suits(line, answer ?? {})) : [];
    this.find('said').textContent = lines.length > 0 && !this.isRival(state.mover) ? `Best: ${lines.join(' ')}.` : this.said;
    this.find('said').classList.toggle('good', this.stage === 'right');
    this.find('count').textContent = `${group.filter(({ id }) => this.done[id]).length} of ${group.length} done`;
    this.find('again').hidden = this.stage !== 'wrong';
    this.find('answer').hidden = task.goal === 'any' || !['open', 'wrong'].includes(this.stage);
    this.find('next').classList.toggle('primary', this.stage === 'right');
    const focus = this.focus === 'board' ? document.querySelector(this.stage === 'write' ? '.endgame' : '#board [tabindex="0"]') : this.focus && this.find(this.focus);
    focus?.focus({ preventScroll: true });
    this.focus = null;
  }
}
