// The questions of this page. `ask.js` is the way to ask them.

import * as way from './ask.js';

export const { sources, solving, cancel } = way;
export const board = (name) => way.ask('board', { name });
export const read = (text, board) => way.ask('read', board ? { text, board } : { text });
export const query = (position, penalty) => way.ask('query', { position, penalty, details: true });
export const plan = (position, penalty) => way.ask('plan', { position, penalty });
export const solve = (position, penalty) => way.solve({ position, penalty });
