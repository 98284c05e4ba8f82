// The panel beside the board: the winner, best play, components, and the theory.

import { html } from './element.js';
import { NAMES, signed } from './game.js';
import { explained } from './words.js';

const plural = (n, what) => `${n} ${what}${n === 1 ? '' : what.endsWith('x') ? 'es' : 's'}`;

/** Boxes of both players, and who is to move in words. */
export function tally(element, { tally, mover, isOver }, middle) {
  const player = (i) => html('div', { class: `player ${'ab'[i]} ${!isOver && mover === i ? 'moves' : ''}` },
    html('span', { class: 'badge' }, NAMES[i]),
    html('span', { class: 'boxes', 'aria-label': `boxes of ${NAMES[i]}` }, `${tally[i]}`));
  element.replaceChildren(player(0), html('div', { class: 'middle' }, middle), player(1));
}

/**
 * The winner under best play, and the margin; or the guess of an opponent that knows no scores; or, without scores, who is to move.
 * `about` is null while a position is set up.
 */
export function verdict(element, game, state, about) {
  const { tally, mover, isOver, nobody } = state;
  const { answer, guess, withScores, players, onLearn } = about ?? {};
  const lines = [];
  if (isOver || answer) {
    const margin = tally[0] - tally[1] + (isOver ? 0 : mover === 0 ? answer.score : -answer.score);
    const winner = NAMES[margin > 0 ? 0 : 1];
    const by = Math.abs(margin);
    const big = margin === 0 ? (isOver ? 'A tie' : 'A tie with best play') : `${winner} ${isOver ? 'has won' : 'wins'} by ${by}`;
    lines.push(html('p', { class: 'big' }, big));
    if (!isOver) {
      const loony = { v: NAMES[mover], '^': NAMES[1 - mover] }[answer.mark];
      const text = `${margin === 0 ? '' : 'With best play. '}Score ${signed(answer.score)} for ${NAMES[mover]}, who is to move${loony ? `; ${loony} must make the next {loony} move` : ''}`;
      lines.push(html('p', { class: 'small' }, ...explained(text)));
    }
  } else {
    // Every box counts for one side or the other, and so does the penalty.
    const isOdd = (state.owner.length - nobody + game.penalty) % 2 === 1;
    const text = !withScores ? players : guess ? `Score not known yet${isOdd ? ', but it cannot be a tie' : ''}` : '…';
    lines.push(html('p', { class: 'big' }, about ? `${NAMES[mover]} to move` : 'Set up a position'),
      html('p', { class: 'small' }, about ? text : 'A click draws a line or takes it away, or gives a closed box to nobody, A or B.'));
    if (onLearn) lines.push(html('p', { class: 'small' }, html('button', { type: 'button', onclick: onLearn }, 'New here? Six short lessons')));
    if (guess?.name && withScores) {
      const about = signed(Math.round(10 * guess.estimate) / 10);
      lines.push(html('p', { class: 'guess' }, html('b', {}, 'not exact'), ` about ${about}, by drawing ${guess.name}`));
    }
  }
  const notes = [];
  if (nobody > 0) notes.push(`${plural(nobody, 'box')} closed at the start ${nobody === 1 ? 'counts' : 'count'} for nobody.`);
  if (game.penalty > 0) notes.push(`The last line costs ${plural(game.penalty, 'box')}.`);
  const where = { run: '· from a solved run', book: '· from a book', solved: '· solved on demand' }[answer?.source] ?? '';
  notes.push(html('code', {}, game.position()), ...(where ? [where] : []));
  element.replaceChildren(...lines, html('p', { class: 'where' }, ...notes.flatMap((note) => [note, ' ']).slice(0, -1)));
}

/** Best play turn by turn. Each line lights up under the pointer; a click plays it and all lines before it. */
export function bestPlay(element, game, state, answer, onLight, onPlay) {
  const play = answer?.play ?? [];
  element.hidden = play.length === 0;
  const turns = [];
  let [drawn, mover] = [state.drawn, state.mover];
  let turn = null;
  play.forEach((line, i) => {
    turn ??= html('span', { class: `turn ${'ab'[mover]}` });
    turn.append(html('button', {
      type: 'button', title: `Play up to here`, 'aria-label': `${NAMES[mover]} draws ${game.board.names[line]}`,
      onclick: () => onPlay(play.slice(0, i + 1)),
      onmouseenter: () => onLight([line]), onmouseleave: () => onLight([]),
      onfocus: () => onLight([line]), onblur: () => onLight([]),
    }, game.board.names[line]));
    const closes = (before, after) => (box) => {
      const isClosed = (mask) => box.lines.every((line) => (mask >> BigInt(line)) & 1n);
      return isClosed(after) && !isClosed(before);
    };
    const next = drawn | (1n << BigInt(line));
    if (!game.board.boxes.some(closes(drawn, next))) {
      mover = 1 - mover;
      turns.push(turn);
      turn = null;
    }
    drawn = next;
  });
  if (turn) turns.push(turn);
  if (answer && !answer.is_whole) turns.push(html('span', { class: 'more' }, 'and on, below the book'));
  element.querySelector('.turns').replaceChildren(...turns);
}

/** The components of the position; each lights up under the pointer. */
export function components(element, answer, onLight) {
  const { components: parts = [], capturable = 0 } = answer ?? {};
  element.hidden = parts.length === 0 && capturable === 0;
  const chips = parts.map(({ name, lines }) => html('li', {}, html('button', {
    type: 'button', 'data-lines': lines.join('.'),
    onmouseenter: () => onLight(lines), onmouseleave: () => onLight([]),
    onfocus: () => onLight(lines), onblur: () => onLight([]), onclick: () => onLight(lines),
  }, name)));
  if (capturable > 0) chips.unshift(html('li', {}, html('span', { class: 'plain' }, `${plural(capturable, 'box')} to be captured${parts.length > 0 ? ', then' : ''}`)));
  element.querySelector('.chips').replaceChildren(...chips);
}

/** A multiset of chains and loops: `3^2+4+6l` with exponents. */
function multiset(text) {
  return text.split('+').flatMap((part, i) => {
    const [component, times] = part.split('^');
    const name = component.replace('l', 'ℓ');
    return [i > 0 ? ' + ' : '', name, ...(times ? [html('sup', {}, times)] : [])];
  });
}

const or = (names) => names.flatMap((name, i) => [i > 0 ? ' or ' : '', ...multiset(name)]);

/** The theory of simple loony endgames beside the table. */
export function theory(element, answer) {
  const endgame = answer?.endgame;
  element.hidden = !endgame;
  if (!endgame) return element.replaceChildren();
  const row = (name, value, ...what) => html('tr', {},
    html('th', { scope: 'row' }, name), html('td', { class: 'value' }, signed(value)), html('td', {}, ...what));
  element.replaceChildren(
    html('h2', {}, 'Simple loony endgame ', html('b', {}, ...multiset(endgame.name))),
    html('table', { class: 'facts' },
      row('Controlled value', endgame.controlled_value),
      row('Value by theory', endgame.value, 'open ', ...or(endgame.open)),
      row('Value in the table', endgame.table.value, 'open ', ...or(endgame.table.open))),
    html('p', { class: 'source' }, `${endgame.case}. Values are for the controller, who answers the player that must open; ℓ marks loops.`));
}

/** Runs and books to choose from. */
export function served(element, sources, onChoose) {
  element.hidden = sources.length === 0;
  const chip = ({ path, board, start, start_name, penalty, kind, layers: [held, all] }) => {
    const part = held < all ? `, ${held} of ${all} layers` : '';
    const cost = penalty === 0 ? '' : `, penalty ${penalty}`;
    return html('li', {}, html('button', { type: 'button', title: `${kind} ${path}${part}`, onclick: () => onChoose(start, penalty) },
      `${start_name === 'american' ? board : start_name ? `${board} ${start_name}` : start}${cost}`));
  };
  element.querySelector('.chips').replaceChildren(...sources.map(chip));
}

/** The nimber of the position, and the moves that win nimstring. */
export function nimber({ nimber, wins, moves }) {
  const winning = moves.filter((move) => move.wins).map(({ name }) => name);
  const value = nimber === null ? 'loony' : `nimber ${nimber}`;
  const by = winning.length > 0 ? `, by ${winning.slice(0, 8).join(' ')}${winning.length > 8 ? ' and more' : ''}` : '';
  return `In nimstring, where the last line wins: ${value}. The player to move ${wins ? 'wins' : 'loses'}${by}.`;
}
