// Puzzles: positions with known answers. Scores stay hidden until a best line is found.

import * as api from './api.js';
import { html } from './element.js';
import { NAMES, signed } from './game.js';

export class Puzzles {
  /** Calls `onBegin` with the puzzle that the player chooses, and `onEnd` when it is solved or given up. */
  constructor(dialog, element, onBegin, onEnd) {
    Object.assign(this, { dialog, element, onBegin, onEnd, puzzle: null, said: '' });
    dialog.querySelector('.close').addEventListener('click', () => dialog.close());
  }

  async choose() {
    const list = this.dialog.querySelector('ul');
    this.dialog.showModal();
    try {
      const item = (puzzle) => html('li', {}, html('button', { type: 'button', onclick: () => this.begin(puzzle) },
        `${puzzle.name} (${puzzle.position.slice(0, puzzle.position.lastIndexOf(':'))})`), html('span', {}, puzzle.source));
      list.replaceChildren(...(await api.problems()).map(item));
    } catch (problem) {
      list.replaceChildren(html('li', { class: 'error', role: 'alert' }, problem.message));
    }
  }

  begin(puzzle) {
    this.dialog.close();
    Object.assign(this, { puzzle, said: '' });
    this.onBegin(puzzle);
  }

  /** Whether scores are to be hidden. */
  get isOpen() {
    return this.puzzle !== null;
  }

  /** Forgets the puzzle: another position is shown. */
  leave() {
    this.puzzle = null;
    this.element.hidden = true;
  }

  show(names, mover) {
    const { puzzle } = this;
    this.element.hidden = puzzle === null;
    if (puzzle === null) return;
    const goal = puzzle.score === undefined ? '' : ` The score is ${signed(puzzle.score)}.`;
    this.element.replaceChildren(html('h2', {}, 'Puzzle'), html('p', {}, html('b', {}, puzzle.name)),
      html('p', {}, `${NAMES[mover]} is to move: draw a best line.${goal}`), html('p', { role: 'status' }, this.said),
      html('p', { class: 'source' }, puzzle.source),
      html('div', { class: 'row' }, html('span', {}, ''), html('button', { type: 'button', id: 'give-up', onclick: () => {
        this.end(`Best: ${puzzle.best.map((line) => names[line]).join(' ')}.`);
      } }, 'Show the answer')));
  }

  /** Whether a line is a best one. */
  tries(line, names, mover) {
    if (this.puzzle.best.includes(line)) {
      this.end(`${names[line]} is right.`);
      return true;
    }
    this.said = `${names[line]} is not a best line. Try another one.`;
    this.show(names, mover);
    return false;
  }

  end(text) {
    this.puzzle = null;
    this.element.replaceChildren(html('h2', {}, 'Puzzle'), html('p', { role: 'status' }, text));
    this.onEnd();
  }
}
