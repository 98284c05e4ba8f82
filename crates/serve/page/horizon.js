// The horizon: the line of a game from which on scores can be worked out while one thinks.

import * as api from './api.js';

const found = new Map();

/** The drawn lines of a game that goes on with safe lines as long as there are any, one mask after the other. */
function continued(board, state) {
  const sides = board.boxes.map((box) => box.lines.filter((line) => (state.drawn >> BigInt(line)) & 1n).length);
  const around = board.lines.map((_, line) => board.boxes.flatMap((box, i) => (box.lines.includes(line) ? [i] : [])));
  let drawn = state.drawn;
  const masks = [drawn];
  // Steps of a number that has no divisor in common with the lines of any board visit all lines in a scattered order.
  const order = board.lines.map((_, i) => (i * 1009) % board.lines.length);
  const open = new Set(order.filter((line) => !((drawn >> BigInt(line)) & 1n)));
  while (open.size > 0) {
    const line = [...open].find((line) => around[line].every((box) => sides[box] < 2)) ?? open.values().next().value;
    open.delete(line);
    for (const box of around[line]) sides[box] += 1;
    drawn |= 1n << BigInt(line);
    masks.push(drawn);
  }
  return masks;
}

/** The number of drawn lines from which on solves take no longer than one thinks, about. */
export async function horizon({ board, start, penalty }, state) {
  const key = `${board.board}:${start} ${penalty}`;
  if (!found.has(key)) found.set(key, await search(board, penalty, continued(board, state)));
  return found.get(key);
}

async function search(board, penalty, masks) {
  const isShort = async (mask) => {
    try {
      return (await api.plan(`${board.board}:${mask.toString(16)}`, penalty)).seconds <= api.BACKGROUND;
    } catch (problem) {
      if (problem.code !== 'too_much') throw problem;
      return false;
    }
  };
  let [low, high] = [0, masks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isShort(masks[middle])) high = middle;
    else low = middle + 1;
  }
  return masks[low].toString(2).replaceAll('0', '').length;
}
