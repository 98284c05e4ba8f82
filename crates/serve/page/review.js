// The game in numbered turns with its variations and comments, the margin over it, and the cost of each line.

import * as api from './api.js';
import { html, svg } from './element.js';
import { NAMES, signed } from './game.js';
import { Solver } from './solve.js';

const [WIDTH, HEIGHT] = [320, 130];
/** The sides of the graph within its picture. */
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 314, 18, 112];
/** Longest solve, in seconds, for the first further step back; each step may take so many times longer. */
const [MOMENT, FACTOR] = [3, 6];
/** The better lines that are named. */
const NAMED = 6;

const UNKNOWN = { cost: null, margin: null, best: [] };

export class ReviewView {
  /** Calls `onGo` with a place in the tree of games and maybe a line to be drawn there, `onPlay` to play on, and `onChange` after a comment. */
  constructor(element, { onGo, onPlay, onChange }) {
    this.find = (name) => element.querySelector(`.${name}`);
    Object.assign(this, { element, onGo, known: new Map() });
    this.solver = new Solver(this.find('solve'), () => this.ask(), 'Earlier lines');
    const on = (name, act) => this.find(name).addEventListener('click', act);
    on('review', () => this.ask());
    on('back', () => this.goBack());
    on('first', () => this.jump(0));
    on('last', () => this.jump(this.game.moves.length));
    on('next', () => onGo(this.nextMistake()));
    on('on', onPlay);
    on('drop', () => {
      this.game.drop();
      onGo(this.game.path());
    });
    this.find('note').addEventListener('change', ({ target }) => {
      const [place, text] = [this.game.path().join('.'), target.value.trim()];
      if (text) this.game.notes[place] = text;
      else delete this.game.notes[place];
      this.render();
      onChange();
    });
  }

  jump(now) {
    this.onGo(this.game.moves.slice(0, now));
  }

  /** Shows a game; what is known about its lines stays. A finished game is reviewed unasked, as far back as takes a moment. */
  show(game, { isOver }) {
    if (game !== this.game) Object.assign(this, { game, key: null, known: new Map(), isAsked: false, patience: MOMENT });
    const key = game.whole();
    if (key !== this.key) {
      this.solver.leave();
      this.key = key;
      this.find('error').textContent = '';
      if (this.isAsked) this.ask();
    }
    this.element.hidden = game.tree.every((moves) => moves.length === 0);
    this.render();
    if (isOver && !this.isAsked && game.moves.length > 0) this.ask().then(() => this.goBack(false));
    this.element.classList.toggle('asked', this.isAsked);
  }

  /** More may be known now. */
  renew() {
    if (this.isAsked) this.ask();
  }

  /** What is known about each line of a game, which is the one that is shown if no other is named. */
  costs(moves = this.game.moves) {
    return moves.map((_, i) => this.known.get(moves.slice(0, i + 1).join('.')) ?? UNKNOWN);
  }

  /**
   * The lines up to the next mistake, at the end of a variation that in the game as it was played, and at its end the first one; null if
   * there is no other.
   */
  nextMistake() {
    const { moves, now, tree: [main] } = this.game;
    const find = (moves, from) => {
      const at = this.costs(moves).findIndex(({ cost }, i) => cost > 0 && i >= from);
      return at < 0 ? null : moves.slice(0, at + 1);
    };
    const fork = main.findIndex((line, i) => moves[i] !== line);
    const next = find(moves, now) ?? (fork < 0 ? null : find(main, fork + 1)) ?? find(moves, 0);
    return `${next}` === `${moves.slice(0, now)}` ? null : next;
  }

  /** Asks for the costs of all lines of the game that is shown, and of the one that was played. */
  async ask() {
    const { key, game } = this;
    this.isAsked = true;
    try {
      for (const moves of new Set([game.moves, game.tree[0]])) if (moves.length > 0) await this.askAbout(game, moves);
      if (key === this.key) this.render();
    } catch (problem) {
      if (key === this.key) this.find('error').textContent = problem.message;
    }
  }

  async askAbout(game, moves) {
    const { known } = this;
    const { turns } = await api.review(game.whole(moves));
    const lines = turns.flatMap((turn) => {
      let margin = turn.before;
      return turn.lines.map(({ cost, best_names, best }) => {
        const isKnown = cost !== null && margin !== null;
        if (isKnown) margin += turn.by === 'A' ? -cost : cost;
        return isKnown ? { cost, margin, names: best_names, best } : UNKNOWN;
      });
    });
    if (moves.length === lines.length) known.set('', { ...UNKNOWN, margin: turns[0].before });
    lines.forEach((line, i) => known.set(moves.slice(0, moves.length - lines.length + i + 1).join('.'), line));
  }

  /**
   * Solves the earliest position of the last lines that are unknown which takes no longer than the player waits; who asked waits longer each time.
   * A book may know the lines before them.
   */
  async goBack(isAsked = true) {
    const { game, key } = this;
    const costs = this.costs();
    let earliest = null;
    for (let n = costs.findLastIndex(({ cost }) => cost === null); costs[n]?.cost === null; n -= 1) {
      try {
        const plan = await api.plan(game.position(n), game.penalty);
        if (key !== this.key) return;
        if (plan.seconds > this.patience && (!isAsked || earliest !== null || plan.seconds > 60 * MOMENT)) break;
        earliest = n;
        if (plan.seconds > this.patience) break;
      } catch (problem) {
        if (isAsked && earliest === null) this.find('error').textContent = problem.message;
        break;
      }
    }
    if (isAsked) this.patience *= FACTOR;
    if (earliest !== null && key === this.key) this.solver.start(game.position(earliest), game.penalty);
  }

  render() {
    const { game } = this;
    const costs = this.costs();
    const plies = game.plies();
    const isReviewed = this.known.size > 0;
    this.find('lines').replaceChildren(...this.rounds());
    const current = this.find('lines').querySelector('[aria-current]');
    if (current) this.find('lines').scrollTop = current.offsetTop - this.find('lines').clientHeight / 2;
    this.find('graph').hidden = !costs.some(({ margin }) => margin !== null);
    this.find('graph').replaceChildren(...(this.find('graph').hidden ? [] : [this.graph(costs, plies)]));
    this.find('review').hidden = this.isAsked;
    this.find('said').hidden = !isReviewed;
    this.find('said').replaceChildren(...this.said(costs[game.now - 1], plies[game.now - 1]));
    this.find('next').disabled = this.nextMistake() === null;
    this.find('next').textContent = !isReviewed || costs.some(({ cost }) => cost > 0) || game.isAside() ? 'Next mistake' : 'No mistakes';
    this.find('first').disabled = game.now === 0;
    this.find('last').disabled = game.now === game.moves.length;
    this.find('on').hidden = game.now === game.moves.length;
    this.find('drop').hidden = !game.isAside();
    this.find('note').value = game.notes[game.path().join('.')] ?? '';
    const unknown = costs.filter(({ cost }) => cost === null).length;
    this.find('unknown').hidden = !isReviewed || unknown === 0;
    this.find('unknown').firstElementChild.textContent = `${unknown} of ${costs.length} lines are not known.`;
    const lost = [0, 1].map((player) => costs.reduce((sum, { cost }, i) => sum + (plies[i].by === player ? cost ?? 0 : 0), 0));
    this.find('lost').textContent = unknown < costs.length ? `Lost by mistakes${unknown > 0 ? ' in the lines that are known' : ''}: A ${lost[0]}, B ${lost[1]}.` : '';
  }

  /** The line that was drawn last in words, with the better lines as buttons. */
  said(known, ply) {
    if (!ply || !known) return [];
    const { game } = this;
    const what = `Line ${game.now}, ${game.board.names[ply.line]} by ${NAMES[ply.by]}`;
    if (known.cost === null) return [`${what}: not known.`];
    if (known.cost === 0) return [`${what}, is a best line.`];
    const before = game.path().slice(0, -1);
    const better = known.best.slice(0, NAMED).flatMap((line, i) =>
      [' ', html('button', { type: 'button', onclick: () => this.onGo(before, line) }, known.names[i])]);
    return [`${what}, costs ${known.cost}. Better:`, ...better, '.'];
  }

  /** The game as it was played, a turn of each player in a row, and below it the games that went another way. */
  rounds() {
    const { tree: [main], side } = this.game;
    const rows = [];
    let asides = [];
    this.game.state(main.length, main).plies.forEach(({ by }, i, plies) => {
      const path = main.slice(0, i + 1);
      if (i === 0 || (by === side && plies[i - 1].by !== side)) {
        rows.push(...asides, html('li', {}, html('i', {}, `${rows.filter((row) => !row.className).length + 1}`),
          html('span', { class: 'ab'[side] }), html('span', { class: 'ba'[side] })));
        asides = [];
      }
      rows.at(-1).children[by === side ? 1 : 2].append(...this.item(path, by));
      asides.push(...this.others(path.slice(0, -1)));
    });
    return [...rows, ...asides, ...(main.length === 0 ? this.others([]) : [])];
  }

  /** The games that leave the main one in this place. */
  others(path) {
    const follow = (path) => {
      const [first, ...rest] = this.game.after(path);
      const by = this.game.state(path.length, path).plies.at(-1).by;
      return [html('span', { class: 'ab'[by] }, ...this.item(path, by)), ...(first === undefined ? [] : follow([...path, first])),
        ...rest.flatMap((line) => [' (', ...follow([...path, line]), ')'])];
    };
    return this.game.after(path).slice(this.game.tree[0].length > path.length ? 1 : 0)
      .map((line) => html('li', { class: 'aside' }, html('i', {}, `line ${path.length + 1}`), ...follow([...path, line])));
  }

  /** A line as a button, and the comment on it. */
  item(path, by) {
    const name = this.game.board.names[path.at(-1)];
    const known = this.known.get(path.join('.'));
    const note = this.game.notes[path.join('.')];
    const isDear = known?.cost > 0;
    const said = isDear ? `, costs ${known.cost}, best ${known.names.slice(0, NAMED).join(' ')}` : known?.cost === 0 ? ', best' : '';
    const title = `${name}${isDear ? `−${known.cost}` : ''}: line ${path.length}, drawn by ${NAMES[by]}${said}`;
    return [html('button', { type: 'button', 'data-ply': path.length, 'aria-label': title, title, class: isDear ? 'costs' : '',
      'aria-current': `${path}` === `${this.game.path()}` && 'step', onclick: () => this.onGo(path) }, name, ...(isDear ? [html('sup', {}, `−${known.cost}`)] : [])),
    ...(note ? [html('em', {}, note)] : [])];
  }

  /** Margin by line, A above, with the line under the pointer in words. */
  graph(costs, plies) {
    const { game } = this;
    // Behind a variation stands the game as it was played.
    const played = game.isAside() ? this.costs(game.tree[0]) : [];
    const n = Math.max(costs.length, played.length);
    const most = Math.max(2, ...[...costs, ...played].map(({ margin }) => Math.abs(margin ?? 0)));
    const x = (ply) => LEFT + (ply / n) * (RIGHT - LEFT);
    const y = (margin) => (TOP + BOTTOM) / 2 - (margin / most) * (BOTTOM - TOP) / 2;
    const curve = (costs, what) => {
      const points = [this.known.get('') ?? UNKNOWN, ...costs].flatMap(({ margin }, i) => (margin === null ? [] : [`${x(i)} ${y(margin)}`]));
      return points.length > 1 ? [svg('path', { class: what, d: `M${points.join('L')}` })] : [];
    };
    const dots = costs.flatMap(({ cost, margin }, i) =>
      (cost > 0 ? [svg('circle', { class: `mistake ${'ab'[plies[i].by]}`, cx: x(i + 1), cy: y(margin), r: 4 })] : []));
    const last = costs.findLast(({ margin }) => margin !== null);
    const text = `Margin of A over the game, ${signed(last.margin)} at the end; largest ${most}`;
    const label = (text, x, y, anchor) => svg('text', { x, y, 'text-anchor': anchor }, text);
    const side = (margin) => [svg('path', { class: 'zero', d: `M${LEFT} ${y(margin)}H${RIGHT}` }),
      label(margin === 0 ? '0' : `${NAMES[margin > 0 ? 0 : 1]} +${Math.abs(margin)}`, LEFT - 4, y(margin) + 3, 'end')];
    const step = n <= 12 ? 1 : n <= 30 ? 5 : Math.ceil(n / 60) * 10;
    const ticks = Array.from({ length: Math.floor(n / step) + 1 }, (_, i) => label(`${i * step}`, x(i * step), HEIGHT - 4, 'middle'));
    const guide = svg('path', { class: 'now' });
    const told = label('', LEFT, 10, 'start');
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': text }, ...[most, 0, -most].flatMap(side), ...ticks,
      svg('path', { class: 'now', d: `M${x(game.now)} ${TOP}V${BOTTOM}` }), guide, told,
      ...curve(played, 'margin played'), ...curve(costs, 'margin'), ...dots);
    const under = ({ clientX }) => {
      const { left, width } = picture.getBoundingClientRect();
      const part = (((clientX - left) / width) * WIDTH - LEFT) / (RIGHT - LEFT);
      return Math.max(0, Math.min(costs.length, Math.round(part * n)));
    };
    const tell = (text, d) => {
      told.textContent = text;
      guide.setAttribute('d', d);
    };
    picture.addEventListener('click', (event) => this.jump(under(event)));
    picture.addEventListener('pointermove', (event) => {
      const ply = under(event);
      const { cost, margin } = costs[ply - 1] ?? this.known.get('') ?? UNKNOWN;
      const line = ply === 0 ? 'start' : `${ply} ${NAMES[plies[ply - 1].by]} ${game.board.names[plies[ply - 1].line]}`;
      tell(`${line}${margin === null ? '' : `: A ${signed(margin)}`}${cost > 0 ? `, costs ${cost}` : ''}`, `M${x(ply)} ${TOP}V${BOTTOM}`);
    });
    picture.addEventListener('pointerleave', () => tell('', ''));
    return picture;
  }
}
