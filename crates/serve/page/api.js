// Requests to the server that this page comes from.

/** An error that the server reports: a code for programs, a message for people. */
export class Problem extends Error {
  constructor({ code, error }) {
    super(error);
    this.code = code;
  }
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Problem({ code: 'gone', error: 'The server does not answer. Is dab serve still running?' });
  }
  const answer = await response.json();
  if (!response.ok) throw new Problem(answer);
  return answer;
}

const post = (path, body) =>
  ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

export const sources = () => ask('/api/sources');
export const board = (name) => ask(`/api/board?name=${encodeURIComponent(name)}`);
export const read = (text, board) => post('/api/read', board ? { text, board } : { text });
export const query = (position, penalty) => post('/api/query', { position, penalty, details: true });
export const plan = (position, penalty) => post('/api/plan', { position, penalty });
export const solve = (position, penalty) => post('/api/solves', { position, penalty });
export const solving = (id) => ask(`/api/solves/${id}`);
export const cancel = (id) => ask(`/api/solves/${id}`, { method: 'DELETE' });
