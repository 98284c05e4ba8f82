// A worker with one instance of the module. It is told `begin` once, with the compiled module and the books, and then answers
// each question with a message of the same `id`.

import { Module, Problem } from './module.js';

/** Milliseconds between two reports of progress. */
const PAUSE = 100;

let begun;
let asked;
let told = 0;

function tell(solved) {
  const now = performance.now();
  if (now - told < PAUSE) return;
  told = now;
  postMessage({ id: asked, solved });
}

async function begin({ compiled, books }) {
  const module = await Module.of(compiled, tell);
  for (const { name, bytes } of books) module.addBook(name, bytes);
  return module;
}

addEventListener('message', async ({ data: { id, question, fields, ...rest } }) => {
  if (rest.begin) begun = begin(rest.begin);
  let module;
  try {
    module = await begun;
    if (!question) return;
    asked = id;
    postMessage({ id, answer: module.ask(question, fields), bytes: module.bytes });
  } catch (error) {
    const { code, message } = error;
    if (error instanceof Problem) postMessage({ id, problem: { code, error: message } });
    else postMessage({ id, problem: { code: 'failed', error: `The program ended: ${module?.failure ?? error}` }, isOver: true });
  }
});
