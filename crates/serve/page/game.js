// A game: a start, the lines drawn since, and the owners of the boxes. Players are 0 (A, who moves first) and 1 (B).
//
// Games of one tree share a start: `tree` has each as the numbers of its lines, first the game as it was played, and `moves` is the
// one that is shown. A place in the tree is the lines that lead to it; comments are kept by its name, such as `0.5.7`.

export const NAMES = ['A', 'B'];

const bit = (line) => 1n << BigInt(line);

/** Whether a game begins with these lines. */
const begins = (moves, path) => path.every((line, i) => moves[i] === line);

export class Game {
  /** `board` is the server's description, `start` a mask of lines, `owners` the owners of the boxes closed in it. */
  constructor(board, { start = 0n, side = 0, owners = [[], []], penalty = 0, moves = [], tree = [moves], notes = {} } = {}) {
    Object.assign(this, { board, start, side, owners, penalty, moves, tree, notes, now: moves.length });
  }

  /** The game after `now` lines, or another one of its tree: drawn lines, owner of each box, boxes of each player, who is to move. */
  state(now = this.now, moves = this.moves) {
    const { boxes } = this.board;
    let drawn = this.start;
    let mover = this.side;
    const isClosed = (box) => box.lines.every((line) => drawn & bit(line));
    const owner = boxes.map((box, i) => {
      if (!isClosed(box)) return null;
      const of = this.owners.findIndex((owned) => owned.includes(i));
      return of < 0 ? 'nobody' : of;
    });
    const plies = [];
    for (const line of moves.slice(0, now)) {
      drawn |= bit(line);
      const closed = boxes.flatMap((box, i) => (owner[i] === null && isClosed(box) ? [i] : []));
      for (const i of closed) owner[i] = mover;
      plies.push({ line, by: mover, closed });
      if (closed.length === 0) mover = 1 - mover;
    }
    const tally = [0, 1].map((player) => owner.filter((of) => of === player).length);
    const isOver = this.board.lines.every((_, line) => drawn & bit(line));
    // The player who drew the last line pays the last-move penalty.
    if (isOver && plies.length > 0) tally[plies.at(-1).by] -= this.penalty;
    return { drawn, owner, tally, mover, plies, isOver, nobody: owner.filter((of) => of === 'nobody').length };
  }

  isOpen(line) {
    return !(this.state().drawn & bit(line));
  }

  position(now = this.now) {
    return `${this.board.board}:${this.state(now).drawn.toString(16)}`;
  }

  /** Every line of the game with its player. */
  plies() {
    return this.state(this.moves.length).plies;
  }

  /** The whole game as an address, or another one of its tree. */
  whole(moves = this.moves) {
    return this.toHash(moves.length, moves);
  }

  /** The whole game as a list of moves, if it begins on the empty board; else its address. */
  toText() {
    if (this.start !== 0n || this.moves.length === 0) return this.whole();
    return [this.board.board, ...this.moves.map((line) => this.board.names[line])].join(' ');
  }

  /** The lines that lead to the place in the tree. */
  path() {
    return this.moves.slice(0, this.now);
  }

  /** The lines that were drawn after these. */
  after(path) {
    const further = this.tree.filter((moves) => moves.length > path.length && begins(moves, path));
    return [...new Set(further.map((moves) => moves[path.length]))];
  }

  /** Draws a line. Lines that were taken back go on elsewhere in the tree if they are to be kept. */
  draw(line, isKept = true) {
    const next = [...this.path(), line];
    const isEnd = this.now === this.moves.length;
    const known = isKept && this.tree.find((moves) => begins(moves, next));
    const at = isEnd || !isKept ? this.tree.findIndex((moves) => `${moves}` === `${this.moves}`) : -1;
    if (!known) this.tree[at < 0 ? this.tree.length : at] = next;
    this.moves = (!isEnd && known) || next;
    this.now += 1;
  }

  undo() {
    this.now = Math.max(0, this.now - 1);
  }

  /** Goes to a place in the tree, and shows the game that it is part of. */
  go(path) {
    if (!begins(this.moves, path)) this.moves = this.tree.find((moves) => begins(moves, path)) ?? path;
    this.now = path.length;
  }

  /** Ends the game here; what was played after this place stays in the tree. */
  cut() {
    this.moves = this.path();
  }

  /** Whether this place is only in games that were not played. */
  isAside() {
    return !begins(this.tree[0], this.path());
  }

  /** Takes this place and all after it out of the tree. */
  drop() {
    const [path, before] = [this.path(), this.path().slice(0, -1)];
    this.tree = this.tree.filter((moves) => !begins(moves, path));
    if (!this.tree.some((moves) => begins(moves, before))) this.tree.push(before);
    this.now = before.length;
    this.moves = this.tree.find((moves) => begins(moves, before));
  }

  /** What an address does not hold: it says no lines that were taken back. */
  record() {
    return { moves: this.moves, tree: this.tree, notes: this.notes };
  }

  /** The address, as in the address bar. */
  toHash(now = this.now, moves = this.moves) {
    const hex = (boxes) => boxes.reduce((mask, box) => mask | bit(box), 0n).toString(16);
    const fields = { p: `${this.board.board}:${this.start.toString(16)}` };
    if (now > 0) fields.m = moves.slice(0, now).join('.');
    if (this.side === 1) fields.side = 'B';
    this.owners.forEach((boxes, player) => {
      if (boxes.length > 0) fields[NAMES[player].toLowerCase()] = hex(boxes);
    });
    if (this.penalty > 0) fields.penalty = this.penalty;
    const text = (value) => encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2F/g, '/');
    return '#' + Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`).join('&');
  }
}

/** The numbers of the bits of a mask: lines or boxes. */
export function members(hex) {
  const mask = BigInt(`0x${hex || 0}`);
  return Array.from({ length: mask.toString(2).length }, (_, i) => i).filter((i) => mask & bit(i));
}

/** The mask of some lines. */
export const mask = (lines) => lines.reduce((mask, line) => mask | bit(line), 0n);

/** The kind of a board in words, such as 3×4. */
export function boardName(name) {
  const [kind, how, n] = name.split(':');
  if (kind === 'triangles') return `${n} triangles, ${how}`;
  return n === undefined && how && kind !== 'graph' ? `${how} boxes in a row, ${kind}` : name.replace(/^(\d+)x(\d+)$/, '$1×$2');
}

/** The fields of an address. The position is not checked yet, nor whether the lines can be drawn. */
export function fromHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, '').replace(/\+/g, '%2B'));
  const field = (name, shape) => {
    const text = fields.get(name) ?? '';
    if (!shape.test(text)) throw new Error(`it says ${name}=${text}.`);
    return text;
  };
  const boxes = (name) => members(field(name, /^[0-9a-f]*$/i));
  const side = NAMES.indexOf(field('opponent', /^[AB]?$/));
  const player = field('player', /^(perfect|caribou|greedy)?$/) || 'perfect';
  return {
    position: fields.get('p'),
    moves: field('m', /^[\d.]*$/).split('.').filter(Boolean).map(Number),
    side: field('side', /^[AB]?$/) === 'B' ? 1 : 0,
    owners: [boxes('a'), boxes('b')],
    penalty: Number(field('penalty', /^(\d{1,2}|1[01]\d|12[0-7])?$/)),
    opponent: side < 0 ? null : { player, side },
    isEmbedded: fields.has('embed'),
  };
}

/** A score with a sign. */
export const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `−${-score}` : '0');
