// The board as SVG: drawn lines, owners of boxes, and the score of every open line.

import { svg as make } from './element.js';
import { NAMES, signed } from './game.js';

/** Room above and to the right of the board, and below and to the left of it, where coordinates stand. */
const [MARGIN, RIM] = [0.3, 0.5];
const KINDS = { safe: 'safe', sacrifice: 'a sacrifice', loony: 'loony', capture: 'captures' };
/** Who must make the next loony move once a line is drawn, where answers have marks. */
const LOONY = { v: ', then you must make the next loony move', '^': ', then the other player must make the next loony move' };

const path = (points) => 'M' + points.map((point) => point.join(' ')).join('L');

/** The place of a line in words, such as 'horizontal, top edge'. */
function place(board, line) {
  const [[x1, y1], [x2, y2]] = board.lines[line].path;
  if (board.dots.length === 0 || (x1 !== x2 && y1 !== y2)) return '';
  if (y1 === y2) return `, horizontal${y1 === 0 ? ', top edge' : y1 === board.height ? ', bottom edge' : ''}`;
  return `, vertical${x1 === 0 ? ', left edge' : x1 === board.width ? ', right edge' : ''}`;
}

/** Letters below the columns of dots and numbers beside the rows of a rectangle, from the names of its lines. */
function coordinates(board) {
  if (!/^\d+x\d+$/.test(board.board)) return [];
  const texts = new Map();
  board.lines.forEach((line, i) => {
    // A name begins with the lower dot, and then with the left one.
    const ends = [...line.path].sort(([x1, y1], [x2, y2]) => y2 - y1 || x1 - x2);
    board.names[i].split('-').forEach((name, end) => {
      const [x, y] = ends[end];
      if (y === board.height) texts.set(`x${x}`, [x, y + 0.33, name.replace(/\d+/, '')]);
      if (x === 0) texts.set(`y${y}`, [-0.33, y, name.replace(/\D+/, '')]);
    });
  });
  return [...texts.values()].map(([x, y, text]) => make('text', { class: 'coordinate', x, y, 'aria-hidden': true }, text));
}

/** 0 for the best lines, then 1 to 3 by the cost of a line. */
const level = (cost) => (cost <= 0 ? 0 : cost <= 2 ? 1 : cost <= 4 ? 2 : 3);

/**
 * Draws into `svg`; calls `onDraw` with the line that the player chooses, `onPoint` with the one under the pointer, or null, and
 * `onClaim` with a closed box that is chosen while a position is edited.
 */
export class BoardView {
  constructor(svg, onDraw, onPoint, onClaim) {
    Object.assign(this, { svg, onDraw, onClaim, focused: null });
    const point = ({ target, pointerType }) => {
      const line = target.closest('.line');
      // A finger draws at once.
      if (pointerType !== 'touch') onPoint(line ? Number(line.dataset.line) : null);
    };
    svg.addEventListener('click', (event) => this.choose(event.target.closest('.line, .claim')));
    svg.addEventListener('keydown', (event) => this.key(event));
    svg.addEventListener('focusin', (event) => this.rove(event.target.closest('.line')));
    for (const kind of ['pointerover', 'focusin']) svg.addEventListener(kind, point);
    for (const kind of ['pointerleave', 'focusout']) svg.addEventListener(kind, () => onPoint(null));
  }

  /** Shows a state of the game, with scores if there is an answer and the player wants them. */
  show(game, state, answer, withScores, isEdited = false) {
    const { board } = game;
    const { svg } = this;
    const hadFocus = svg.contains(document.activeElement);
    this.board = board;
    svg.dataset.mover = NAMES[state.mover];
    const [width, height] = [board.width + MARGIN + RIM, board.height + MARGIN + RIM];
    svg.setAttribute('viewBox', `${-RIM} ${-MARGIN} ${width} ${height}`);
    // The board fills the width within limits, and is never higher than the window.
    const share = `min(100%, ${Math.round(width * 124)}px, (100svh - var(--room)) * ${width / height})`;
    svg.style.width = `max(${share}, ${Math.round(width * 41)}px)`;
    svg.style.aspectRatio = `${width} / ${height}`;
    svg.classList.toggle('coins', board.dots.length === 0);
    const moves = new Map((answer?.moves ?? []).map((move) => [move.line, move]));
    const last = state.plies.at(-1);
    const by = new Map(state.plies.map((ply) => [ply.line, ply.by]));
    const isDrawn = (line) => (state.drawn >> BigInt(line)) & 1n;
    const open = board.lines.flatMap((_, line) => (isDrawn(line) ? [] : [line]));
    const coins = board.dots.length === 0;
    const boxes = board.boxes.map((box, i) => this.box(box, state.owner[i], last?.closed.includes(i), i));
    const drawn = board.lines.flatMap((shape, line) =>
      isDrawn(line) ? [this.drawn(shape, line, by.get(line), line === last?.line, isEdited)] : []);
    const lines = open.map((line) => this.line(line, moves.get(line), answer?.score, withScores));
    const owners = board.boxes.flatMap((box, i) => (isEdited ? this.claim(box, state.owner[i], i) : this.owner(box, state.owner[i])));
    const walls = board.walls.map((wall) => make('path', { class: 'wall', d: path(wall) }));
    const dots = board.dots.map(([cx, cy]) => make('circle', { class: 'dot', cx, cy, r: 0.075 }));
    const layers = coins ? [drawn, lines, boxes, owners] : [coordinates(board), boxes, isEdited ? [] : owners, walls, drawn, lines, dots, isEdited ? owners : []];
    svg.replaceChildren(...layers.flat());
    const choices = isEdited ? board.lines.map((_, line) => line) : open;
    if (!choices.includes(this.focused)) this.focused = this.nearest(choices) ?? choices[0] ?? null;
    this.element(this.focused)?.setAttribute('tabindex', 0);
    if (hadFocus) (this.element(this.focused) ?? svg).focus();
  }

  box({ centre, corners }, owner, isFresh, i) {
    const of = owner === null ? '' : owner === 'nobody' ? 'nobody' : NAMES[owner].toLowerCase();
    const [cx, cy] = centre;
    const name = `box ${of} ${isFresh ? 'fresh' : ''} ${corners.length === 0 ? 'coin' : ''}`;
    return corners.length === 0
      ? make('circle', { class: name, cx, cy, r: 0.26, 'data-box': i })
      : make('path', { class: name, d: `${path(corners)}Z`, 'data-box': i });
  }

  owner({ centre: [x, y] }, owner) {
    if (owner !== 0 && owner !== 1) return [];
    return [make('text', { class: `owner ${NAMES[owner].toLowerCase()}`, x, y }, NAMES[owner])];
  }

  /** A closed box, whose owner can be changed. */
  claim(box, owner, i) {
    if (owner === null) return [];
    const [cx, cy] = box.centre;
    const of = NAMES[owner] ?? 'nobody';
    const said = { class: 'claim', role: 'button', tabindex: 0, 'aria-label': `closed box ${i + 1}, of ${of}`, 'data-claim': i };
    return [make('g', said, make('circle', { cx, cy, r: 0.26 }), make('text', { class: `owner ${of.toLowerCase()}`, x: cx, y: cy }, NAMES[owner] ?? '?'))];
  }

  /** A drawn line; one that can be taken away while a position is edited. */
  drawn(shape, line, by, isLast, isEdited) {
    const look = `drawn${by === undefined ? '' : ` by-${NAMES[by].toLowerCase()}`}${isLast ? ' last fresh' : ''}`;
    const who = by === undefined ? 'drawn' : `drawn by ${NAMES[by]}`;
    const what = `${this.board.names[line]}${place(this.board, line)}: ${who}`;
    const stroke = make('path', { class: look, d: path(shape.path), ...(isEdited ? {} : { role: 'img', 'aria-label': what }) });
    if (!isEdited) return stroke;
    return make('g', { class: 'line', role: 'button', tabindex: -1, 'aria-label': what, 'aria-pressed': 'true', 'data-line': line },
      make('path', { class: 'area', d: `${path(shape.area)}Z` }), stroke);
  }

  line(line, move, score, withScores) {
    const shape = this.board.lines[line];
    const [x, y] = shape.mid;
    const isShown = move && withScores;
    const named = `${this.board.names[line]}${place(this.board, line)}`;
    const what = isShown
      ? `${named}: ${signed(move.score)}, ${KINDS[move.kind]}${move.score === score ? ', best' : ''}${LOONY[move.mark] ?? ''}`
      : named;
    const children = [
      make('title', {}, what),
      make('path', { class: 'area', d: `${path(shape.area)}Z` }),
      make('path', { class: `stroke ${isShown ? move.kind : 'plain'}`, d: path(shape.path) }),
    ];
    if (isShown) {
      const label = `${signed(move.score)}${move.mark ?? ''}`;
      const width = 0.16 + 0.12 * label.length;
      const pill = { class: 'pill', x: x - width / 2, y: y - 0.14, width, height: 0.28, rx: 0.14 };
      children.push(make('rect', pill), make('text', { class: 'label', x, y: y + 0.008 }, label));
    }
    const name = isShown ? `line l${level(score - move.score)}` : 'line';
    const attributes = { class: name, role: 'button', tabindex: -1, 'aria-label': what, 'data-line': line };
    return make('g', { ...attributes, 'data-score': isShown && move.score, 'data-kind': isShown && move.kind }, ...children);
  }

  element(line) {
    return line === null ? null : this.svg.querySelector(`[data-line="${line}"]`);
  }

  /** Highlights lines, and the boxes along them. */
  light(lines) {
    const lit = new Set(lines);
    for (const element of this.svg.querySelectorAll('.line')) {
      element.classList.toggle('lit', lit.has(Number(element.dataset.line)));
    }
    for (const element of this.svg.querySelectorAll('.box')) {
      const around = this.board.boxes[element.dataset.box].lines;
      element.classList.toggle('glow', lit.size > 1 && around.some((line) => lit.has(line)));
    }
  }

  choose(element) {
    if (element?.dataset.claim) {
      this.onClaim(Number(element.dataset.claim));
      this.svg.querySelector(`[data-claim="${element.dataset.claim}"]`)?.focus();
    } else if (element) this.onDraw(Number(element.dataset.line));
  }

  rove(element) {
    if (!element) return;
    this.element(this.focused)?.setAttribute('tabindex', -1);
    this.focused = Number(element.dataset.line);
    element.setAttribute('tabindex', 0);
  }

  /** The open line next to the one that had the focus. */
  nearest(open) {
    const here = this.board.lines[this.focused]?.mid;
    if (!here) return undefined;
    const far = (line) => Math.hypot(...this.board.lines[line].mid.map((x, axis) => x - here[axis]));
    return open.reduce((best, line) => (best === undefined || far(line) < far(best) ? line : best), undefined);
  }

  key(event) {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(event.target.closest('.line, .claim'));
    } else if (way && this.focused !== null) {
      event.preventDefault();
      const here = this.board.lines[this.focused].mid;
      let [best, least] = [null, Infinity];
      for (const element of this.svg.querySelectorAll('.line')) {
        const line = Number(element.dataset.line);
        const [dx, dy] = this.board.lines[line].mid.map((x, axis) => x - here[axis]);
        const [along, aside] = [dx * way[0] + dy * way[1], Math.abs(dx * way[1] + dy * way[0])];
        const cost = along + 2 * aside;
        if (along > 0.1 && cost < least) [best, least] = [element, cost];
      }
      best?.focus();
    }
  }
}
