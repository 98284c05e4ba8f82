// Puzzles: positions with known answers. Scores stay hidden until a best line is found or the answer is asked for; the result
// stays until another game begins.

import * as api from './api.js';
import { html } from './element.js';
import { NAMES, signed } from './game.js';

export class Puzzles {
  /** Calls `onBegin` with the puzzle that the player chooses, and `onEnd` when it is solved or given up. */
  constructor(dialog, element, onBegin, onEnd) {
    Object.assign(this, { dialog, element, onBegin, onEnd, list: [], puzzle: null, isOpen: false, said: '' });
  }

  async choose() {
    const list = this.dialog.querySelector('ul');
    this.dialog.showModal();
    try {
      const item = (puzzle) => html('li', {}, html('button', { type: 'button', onclick: () => this.begin(puzzle) },
        `${puzzle.name} (${puzzle.position.slice(0, puzzle.position.lastIndexOf(':'))})`), html('span', {}, puzzle.source));
      this.list = await api.problems();
      list.replaceChildren(...this.list.map(item));
    } catch (problem) {
      list.replaceChildren(html('li', { class: 'error', role: 'alert' }, problem.message));
    }
  }

  /** `isOpen` says whether scores are to be hidden. */
  begin(puzzle) {
    this.dialog.close();
    Object.assign(this, { puzzle, isOpen: true, said: '' });
    this.onBegin(puzzle);
  }

  /** Forgets the puzzle: another game is shown. */
  leave() {
    Object.assign(this, { puzzle: null, isOpen: false });
  }

  show(names, mover) {
    const { puzzle, isOpen, said } = this;
    this.element.hidden = puzzle === null;
    if (puzzle === null) return;
    const goal = puzzle.score === undefined ? '' : ` The score is ${signed(puzzle.score)}.`;
    const next = this.list[(this.list.indexOf(puzzle) + 1) % this.list.length];
    const button = isOpen
      ? html('button', { type: 'button', id: 'give-up', onclick: () => this.end(`Best: ${puzzle.best.map((line) => names[line]).join(' ')}.`) }, 'Show the answer')
      : html('button', { type: 'button', id: 'next-puzzle', class: 'primary', onclick: () => this.begin(next) }, 'Next puzzle');
    this.element.replaceChildren(html('h2', {}, 'Puzzle'), html('p', {}, html('b', {}, puzzle.name)),
      ...(isOpen ? [html('p', {}, `${NAMES[mover]} is to move: draw a best line.${goal}`)] : []),
      html('p', { class: 'said', role: 'status' }, said), html('div', { class: 'row' }, html('span', { class: 'source' }, puzzle.source), button));
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

  end(said) {
    Object.assign(this, { said, isOpen: false });
    this.onEnd();
  }
}
