// The questions of this page. `ask.js` is the way to ask them.

import * as way from './ask.js';

export const { BACKGROUND, START, sources, solving, cancel } = way;
export const board = (name) => way.ask('board', { name });
export const read = (text, board) => way.ask('read', board ? { text, board } : { text });
export const query = (position, penalty) => way.ask('query', { position, penalty, details: true });
export const plan = (position, penalty) => way.ask('plan', { position, penalty });
export const solve = (position, penalty) => way.solve({ position, penalty });
export const opponent = (position, penalty, player, seed) => way.ask('opponent', { position, penalty, player, seed });
export const advice = (position) => way.ask('advice', { position });
export const review = (text) => way.ask('review', { text });
export const problems = () => way.ask('problems', {});
export const nimber = (position) => way.ask('nimber', { position });
export const write = (text, notation) => way.ask('write', { text, notation });
