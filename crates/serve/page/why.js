// Reasons in words that players know: long chains, the parity that each player needs, control, and one sentence for a line.

import * as api from './api.js';
import { html } from './element.js';
import { NAMES, signed } from './game.js';
import { explained } from './words.js';

const plural = (n, what) => `${n} ${what}${n === 1 ? '' : what.endsWith('x') ? 'es' : 's'}`;
const tag = (text) => html('span', { class: 'tag' }, text);
/** Answers that are remembered. */
const REMEMBERED = 200;

const HOW = 'Join two neighbouring dots by a line. Who closes a box owns it and draws again; most boxes win.';

/** The long chains and loops that are left or will be, the parity that each player needs, and who is in control. */
function outlook({ long_chains: chains, loops, controls, capturable, order, rule }, mover) {
  const [mine, other] = [NAMES[mover], NAMES[1 - mover]];
  const isEarly = order.some(({ kind }) => kind === 'safe');
  const parts = [];
  if (chains > 0 || loops === 0) parts.push(`${chains || 'no'} {long chain|long chain${chains === 1 ? '' : 's'}}`);
  if (loops > 0) parts.push(`${loops} {loop|loop${loops === 1 ? '' : 's'}}`);
  const is = isEarly ? (chains + loops === 1 ? 'is likely to come' : 'are likely to come') : chains + loops === 1 ? 'is left' : 'are left';
  const after = capturable > 0 ? `Beside the ${plural(capturable, 'box')} that ${mine} can take, ` : '';
  const count = `${after}${parts.join(' and ')} ${is}.`;
  if (chains + loops === 0) return count[0].toUpperCase() + count.slice(1);
  if (rule === 'decline') return `${count[0].toUpperCase()}${count.slice(1)} ${mine} can keep {control} by a {handout}.`;
  const wants = (chains % 2 === 0) === controls ? ['an even', 'an odd'] : ['an odd', 'an even'];
  const parity = isEarly ? ` By the {long-chain rule} ${mine} needs ${wants[0]} number of long chains, ${other} ${wants[1]} one:` : '';
  return `${count[0].toUpperCase()}${count.slice(1)}${parity} ${controls ? mine : other} ${isEarly ? 'will be' : 'is'} in {control}.`;
}

/** The rule of thumb in words. */
const RULES = {
  take: 'take every box', decline: 'leave the last boxes as a {handout}, and keep {control}', safe: 'draw a {safe line}',
  sacrifice: 'make a {sacrifice}', open: 'open what costs least',
};

/** What a line does: by the boxes that it closes and gives, and unless its score is known by who will be in control. */
function effect(move, { capturable: before, rule, lines, moves }, mover, isScored) {
  const [mine, other] = [NAMES[mover], NAMES[1 - mover]];
  const { closes, capturable: n, opens, controls } = move;
  const inControl = controls ? mine : other;
  const isLast = moves.length === 1;
  if (closes > 0 && isLast) return `closes the last ${closes === 1 ? 'box' : 'two boxes'}.`;
  if (closes > 0) return `closes ${plural(closes, 'box')}${n > 0 ? `, and ${mine} can take ${n} more` : `, and ${mine} draws again`}.`;
  if (rule === 'decline' && lines.includes(move.line)) return `hands out ${plural(n, 'box')}: ${other} has to open what comes next, and ${mine} keeps control.`;
  if (before > 0 && n > 0) return `leaves ${plural(n, 'box')} to ${other}.`;
  if (opens) {
    const back = opens === 'loop' ? 4 : 2;
    const keeps = `${other} keeps control and gains ${n - 2 * back}`;
    return `opens a ${opens === 'loop' ? `loop of ${n}` : `${n}-chain`}: ${n > 2 * back ? keeps : `${other} takes ${n - back} and hands out ${back} to keep control`}, or takes all ${n}.`;
  }
  if (n > 0) return `gives ${plural(n, 'box')} to ${other}${isScored ? '' : `; then ${inControl} is in control`}.`;
  const left = [[move.long_chains, 'long chain'], [move.loops, 'loop']].filter(([count]) => count > 0).map(([count, what]) => plural(count, what));
  const opener = controls ? other : mine;
  const are = move.long_chains + move.loops === 1 ? 'is' : 'are';
  return `is safe.${left.length > 0 && !isScored ? ` ${left.join(' and ')} ${are} likely, and ${opener} would have to open the first: good for ${inControl}.` : ''}`;
}

/** How a game ended. */
function result([a, b]) {
  return [html('b', {}, a === b ? 'A tie.' : `${NAMES[a > b ? 0 : 1]} has won by ${Math.abs(a - b)}.`)];
}

export class Why {
  /** Fills a panel about the position, and a place for one sentence about a line. */
  constructor(panel, said) {
    Object.assign(this, { panel, said, answers: new Map(), turn: 0, pointed: null, hint: null });
  }

  /** The words about a position, remembered or asked for; null where there are none. */
  async advice(position) {
    if (!this.answers.has(position)) {
      this.answers.set(position, api.advice(position).catch(() => null));
      if (this.answers.size > REMEMBERED) this.answers.delete(this.answers.keys().next().value);
    }
    return this.answers.get(position);
  }

  /** Shows the reasons for a position; `isHidden` while a puzzle is open or a position is set up. */
  async show(game, state, { isHidden, answer, withScores }) {
    const turn = ++this.turn;
    const [position, ply] = [game.position(), state.plies.at(-1)];
    const key = `${position} ${game.now}`;
    if (key !== this.key) Object.assign(this, { key, now: null, before: null, pointed: null, hint: null });
    Object.assign(this, { game, state, isHidden, answer: withScores ? answer : null, withScores });
    this.render();
    if (isHidden) return;
    const asked = [state.isOver ? null : this.advice(position), ply ? this.advice(game.position(game.now - 1)) : null];
    const [now, before] = await Promise.all(asked);
    if (turn !== this.turn) return;
    Object.assign(this, { now, before });
    this.render();
  }

  render() {
    const { now, state, withScores, panel, isHidden } = this;
    const isNew = state.drawn === 0n && !withScores;
    panel.hidden = isHidden || isNew || !now;
    if (!panel.hidden) {
      panel.querySelector('.outlook').replaceChildren(...explained(outlook(now, state.mover)));
      const names = withScores ? now.line_names : [];
      const some = `${names.slice(0, 6).join(' ')}${names.length > 6 ? ' …' : ''}`;
      const costs = this.answer?.moves.filter(({ line }) => now.lines.includes(line)).map(({ score }) => this.answer.score - score) ?? [0];
      const least = Math.min(...costs);
      const errs = least > 0 ? `. It loses ${least} here.` : '';
      panel.querySelector('.rule').replaceChildren(...(now.rule && names.length > 0 ? [tag('rule of thumb'), ' ', ...explained(`${RULES[now.rule]}: `), some + errs] : []));
    }
    this.speak();
  }

  /** A sentence about the line under the pointer, or null. */
  point(line) {
    this.pointed = line;
    this.speak();
  }

  speak() {
    const { state, game, now, before, hint, isHidden, withScores } = this;
    const ply = state.plies.at(-1);
    // Who is new reads how to play first.
    const pointed = state.drawn === 0n && !withScores ? null : this.pointed;
    if (isHidden) return this.said.replaceChildren();
    const words = (hint && (pointed === null || pointed === hint.line) ? this.hinted() : null)
      ?? this.sentence(pointed, now, state.mover, this.answer)
      ?? (state.isOver ? result(state.tally) : null)
      ?? (ply ? this.sentence(ply.line, before, ply.by, null, `${NAMES[ply.by]}: `) : null)
      ?? (state.drawn === 0n ? [HOW] : [`${game.board.names.length - [...state.drawn.toString(2)].filter((bit) => bit === '1').length} lines are open.`]);
    this.said.replaceChildren(...words);
  }

  /** The sentence about a line of a position of which `advice` tells. */
  sentence(line, advice, mover, answer, who = '') {
    const move = line === null ? null : advice?.moves.find((move) => move.line === line);
    if (!move) return null;
    const scored = answer?.moves.find((move) => move.line === line);
    const said = [who, html('b', {}, move.name), ` ${effect(move, advice, mover, scored !== undefined)}`];
    if (!scored) return move.closes > 0 ? said : [...said, ' ', tag('rule of thumb')];
    const cost = answer.score - scored.score;
    const gains = scored.score === 0 ? 'Then both gain the same' : `Then ${NAMES[scored.score > 0 ? mover : 1 - mover]} gains ${Math.abs(scored.score)}`;
    return [...said, ` ${gains}${cost > 0 ? `, ${cost} short of the best (${signed(answer.score)})` : ', which is best'}.`, ' ', tag('exact')];
  }

  /** Shows a line as a hint; `isBest` if tables say so. */
  advise(line, isBest) {
    this.hint = { line, isBest };
    this.speak();
  }

  hinted() {
    const { line, isBest } = this.hint;
    const about = this.sentence(line, this.now, this.state.mover, this.answer);
    return [html('b', {}, 'Hint: '), ...(about ?? [this.game.board.names[line]]), ...(isBest ? [] : [' No proof that it is best.'])];
  }
}
