// The lines of the game, the margin over them, and the cost of each. A click leads to the position after a line.

import * as api from './api.js';
import { html, svg } from './element.js';
import { NAMES, signed } from './game.js';
import { Solver } from './solve.js';

const [WIDTH, HEIGHT] = [320, 110];
/** Longest solve, in seconds, for the first further step back; each step may take so many times longer. */
const [MOMENT, FACTOR] = [3, 6];

export class ReviewView {
  /** Calls `onJump` with the number of lines after which the player wants to see the game. */
  constructor(element, onJump) {
    this.find = (name) => element.querySelector(`.${name}`);
    Object.assign(this, { element, onJump, key: null, costs: null, isAsked: false, patience: MOMENT });
    this.solver = new Solver(this.find('solve'), () => this.ask(), 'Earlier lines');
    this.find('review').addEventListener('click', () => this.ask());
    this.find('back').addEventListener('click', () => this.goBack());
    this.find('first').addEventListener('click', () => onJump(0));
    this.find('last').addEventListener('click', () => onJump(this.game.moves.length));
    this.find('next').addEventListener('click', () => onJump(this.nextMistake()));
  }

  /** Shows the lines of a game; what is known about them stays as long as they do. A finished game is reviewed unasked. */
  show(game, { plies, isOver }) {
    this.game = game;
    const key = game.whole();
    if (key !== this.key) {
      this.solver.leave();
      Object.assign(this, { key, costs: null, isAsked: false, patience: MOMENT });
    }
    this.element.hidden = game.moves.length === 0;
    this.drawn = plies.length === game.moves.length ? plies : game.plies();
    this.render();
    if (isOver && !this.isAsked && game.moves.length > 0) this.ask();
  }

  /** More may be known now. */
  renew() {
    if (this.costs) this.ask();
  }

  /** The number of lines up to the next mistake; 0 if there is none. */
  nextMistake() {
    return 1 + (this.costs?.findIndex(({ cost }, i) => cost > 0 && i >= this.game.now) ?? -1);
  }

  /** The line that was drawn last in words. */
  said() {
    const { now } = this.game;
    const known = this.costs?.[now - 1];
    if (!known) return '';
    const what = `Line ${now}, ${this.game.board.names[this.drawn[now - 1].line]} by ${NAMES[this.drawn[now - 1].by]}`;
    if (known.cost === null) return `${what}: not known.`;
    return known.cost === 0 ? `${what}, is a best line.` : `${what}, costs ${known.cost}. Better: ${known.best.slice(0, 6).join(' ')}.`;
  }

  /** Asks for the costs of all lines. */
  async ask() {
    const { key } = this;
    this.isAsked = true;
    this.find('error').textContent = '';
    try {
      const { turns } = await api.review(key);
      if (key !== this.key) return;
      const lines = turns.flatMap((turn) => {
        let margin = turn.before;
        return turn.lines.map(({ cost, best_names }) => {
          const known = cost !== null && margin !== null;
          if (known) margin += turn.by === 'A' ? -cost : cost;
          return { cost: known ? cost : null, margin: known ? margin : null, best: best_names };
        });
      });
      const missing = this.game.moves.length - lines.length;
      this.costs = [...Array.from({ length: missing }, () => ({ cost: null, margin: null, best: [] })), ...lines];
      this.render();
    } catch (problem) {
      if (key === this.key) this.find('error').textContent = problem.message;
    }
  }

  /** Solves the earliest position before an unknown line that takes no longer than the player waits. */
  async goBack() {
    const { game, key } = this;
    let earliest = null;
    for (let n = this.costs.findLastIndex(({ cost }) => cost === null); n >= 0; n -= 1) {
      try {
        const plan = await api.plan(game.position(n), game.penalty);
        if (key !== this.key) return;
        if (plan.seconds > this.patience && (earliest !== null || plan.seconds > 60 * MOMENT)) break;
        earliest = n;
        if (plan.seconds > this.patience) break;
      } catch (problem) {
        if (earliest === null) this.find('error').textContent = problem.message;
        break;
      }
    }
    this.patience *= FACTOR;
    if (earliest !== null && key === this.key) this.solver.start(game.position(earliest), game.penalty);
  }

  render() {
    const { game, drawn, costs } = this;
    const turns = [];
    drawn.forEach(({ line, by }, i) => {
      if (turns.at(-1)?.by !== by) turns.push({ by, items: [] });
      turns.at(-1).items.push(this.item(line, by, i + 1, costs?.[i]));
    });
    this.find('lines').replaceChildren(...turns.map(({ by, items }) => html('li', { class: 'ab'[by] }, html('b', {}, NAMES[by]), ...items)));
    this.find('graph').replaceChildren(...(costs ? this.graph() : []));
    this.find('graph').hidden = !costs?.some(({ margin }) => margin !== null);
    this.find('review').hidden = costs !== null;
    this.find('said').hidden = costs === null;
    this.find('said').textContent = this.said();
    this.find('next').disabled = this.nextMistake() === 0;
    this.find('first').disabled = game.now === 0;
    this.find('last').disabled = game.now === game.moves.length;
    const unknown = costs?.filter(({ cost }) => cost === null).length ?? 0;
    this.find('unknown').hidden = unknown === 0;
    this.find('unknown').firstElementChild.textContent = `${unknown} of ${costs?.length} lines are not known.`;
    const lost = [0, 1].map((player) => (costs ?? []).reduce((sum, { cost }, i) => sum + (drawn[i].by === player ? cost ?? 0 : 0), 0));
    this.find('lost').textContent = costs && unknown < costs.length ? `Lost by mistakes: A ${lost[0]}, B ${lost[1]}.` : '';
    this.element.querySelector(`[data-ply="${game.now}"]`)?.setAttribute('aria-current', 'step');
  }

  item(line, by, ply, known) {
    const name = this.game.board.names[line];
    const isDear = known?.cost > 0;
    const said = isDear ? `, costs ${known.cost}, best ${known.best.slice(0, 6).join(' ')}` : known?.cost === 0 ? ', best' : '';
    const shown = isDear ? `${name}−${known.cost}` : name;
    const title = `${shown}: line ${ply}, drawn by ${NAMES[by]}${said}`;
    return html('button', { type: 'button', 'data-ply': ply, 'aria-label': title, title, class: isDear ? 'costs' : '',
      onclick: () => this.onJump(ply) }, name, ...(isDear ? [html('sup', {}, `−${known.cost}`)] : []));
  }

  /** Margin by line, A above. */
  graph() {
    const { costs, game } = this;
    const most = Math.max(2, ...costs.map(({ margin }) => Math.abs(margin ?? 0)));
    const x = (ply) => 8 + (ply / costs.length) * (WIDTH - 16);
    const y = (margin) => HEIGHT / 2 - (margin / most) * (HEIGHT / 2 - 12);
    const points = costs.flatMap(({ margin }, i) => (margin === null ? [] : [`${x(i + 1)} ${y(margin)}`]));
    const dots = costs.flatMap(({ cost, margin }, i) =>
      (cost > 0 ? [svg('circle', { class: `mistake ${'ab'[this.drawn[i].by]}`, cx: x(i + 1), cy: y(margin), r: 4 })] : []));
    const last = costs.findLast(({ margin }) => margin !== null);
    const text = `Margin of A over the game${last ? `, ${signed(last.margin)} at the end; largest ${most}` : ''}`;
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': text },
      svg('path', { class: 'zero', d: `M8 ${y(0)}H${WIDTH - 8}` }),
      svg('path', { class: 'now', d: `M${x(game.now)} 6V${HEIGHT - 6}` }),
      svg('path', { class: 'margin', d: points.length > 0 ? `M${points.join('L')}` : '' }), ...dots,
      svg('text', { x: 8, y: 12 }, `A +${most}`), svg('text', { x: 8, y: HEIGHT - 3 }, `B +${most}`));
    picture.addEventListener('click', (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const part = (((event.clientX - left) / width) * WIDTH - 8) / (WIDTH - 16);
      this.onJump(Math.max(0, Math.min(costs.length, Math.round(part * costs.length))));
    });
    return [picture];
  }
}
