// The way to ask: over HTTP, the server that this page comes from. The site has a file of the same name that asks a worker.

/** Who comes without an address begins with what is served. */
export const START = null;
/** Longest solve, in seconds, that begins unasked while one plays. */
export const BACKGROUND = 150;

/** An error that the server reports: a code for programs, a message for people. */
export class Problem extends Error {
  constructor({ code, error }) {
    super(error);
    this.code = code;
  }
}

async function request(path, options) {
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
  request(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** The answer to a question of docs/API.md. */
export const ask = (question, fields) => post(`/api/${question}`, fields);
export const sources = () => request('/api/sources');
export const solve = (fields) => post('/api/solves', fields);
export const solving = (id) => request(`/api/solves/${id}`);
export const cancel = (id) => request(`/api/solves/${id}`, { method: 'DELETE' });
