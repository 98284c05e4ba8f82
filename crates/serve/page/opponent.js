// The computer as a player: which one it is, its side, and its lines.

import * as api from './api.js';
import { NAMES } from './game.js';
import { keep, recall } from './settings.js';

/** The name of each player, and how it plays. */
const PLAYERS = {
  perfect: ['Perfect', 'draws best lines where scores are known, and looks ahead elsewhere'],
  caribou: ['Caribou', 'goes by the long-chain rule, and keeps control'],
  greedy: ['Greedy', 'takes every box, and gives away as few as it can'],
};

/** Of each page its own: equal positions of two games need not have equal lines. */
const seed = Math.floor(Math.random() * 2 ** 31);

export class Opponent {
  /** `player` and `side` are the fields in which the player chooses; `onChange` hears of it. */
  constructor(player, side, onChange) {
    Object.assign(this, { player, side });
    player.addEventListener('change', () => {
      keep('opponent', player.value);
      onChange();
    });
    side.addEventListener('change', onChange);
  }

  /** Nobody, unless `choice` has the number of a side and the name of a player. */
  set(choice) {
    this.player.value = choice ? choice.player : '';
    if (choice) this.side.value = `${1 - choice.side}`;
  }

  /** As an address, `set` and a new game have it. */
  get choice() {
    return this.player.value ? { player: this.player.value, side: 1 - Number(this.side.value) } : null;
  }

  /** Who comes without an address has the player that was chosen last. */
  static landing() {
    return { player: recall('opponent') || 'greedy', side: 1 };
  }

  isOf(mover) {
    return this.choice?.side === mover;
  }

  /** Whether rules decide about lines, whatever is solved. */
  get hasRules() {
    return this.choice !== null && this.choice.player !== 'perfect';
  }

  /** The line that the rules draw. */
  async line(position, penalty) {
    return (await api.opponent(position, penalty, this.choice.player, seed)).line;
  }

  toHash() {
    const { choice } = this;
    if (!choice) return '';
    return `&opponent=${NAMES[choice.side]}${choice.player === 'perfect' ? '' : `&player=${choice.player}`}`;
  }

  /** Who plays, in a sentence. */
  toString() {
    if (this.choice === null) return 'Two players at one board.';
    const [name, how] = PLAYERS[this.choice.player];
    return `You are ${NAMES[1 - this.choice.side]}. ${name} is ${NAMES[this.choice.side]}: it ${how}.`;
  }

  /** Who is to move in words. */
  turn({ mover, isOver }, isTheirs) {
    this.side.disabled = this.choice === null;
    if (isOver) return 'game over';
    if (this.choice === null) return `${NAMES[mover]} to move`;
    return isTheirs ? `${PLAYERS[this.choice.player][0]} is thinking…` : this.isOf(mover) ? `${NAMES[mover]} to move` : 'your move';
  }
}
