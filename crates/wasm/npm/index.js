// The module of the site as a package: it answers in the thread that asks, from books, else by solving.

import { Module } from './module.js';

const BOOKS = BOOK_NAMES;

/** Bytes of memory that a solve may take, by its one thread. */
const MEMORY = 2 ** 31;

const at = (path) => new URL(path, import.meta.url);

async function file(path) {
  if (at(path).protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return new Uint8Array(await readFile(at(path)));
  }
  const response = await fetch(at(path));
  if (!response.ok) throw new Error(`${path} is missing beside ${import.meta.url}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** An error of a question: a code for programs, a message for people. */
export class Problem extends Error {
  constructor({ code, error }) {
    super(error);
    this.code = code;
  }
}

let parts;
let begun;

async function begin() {
  parts ??= Promise.all([
    file('dab.wasm').then((bytes) => WebAssembly.compile(bytes)),
    ...BOOKS.map(async (name) => ({ name, bytes: await file(`books/${name}`) })),
  ]);
  const [compiled, ...books] = await parts;
  const module = await Module.of(compiled, () => {});
  module.exports.begin(1, MEMORY);
  for (const { name, bytes } of books) module.addBook(name, bytes);
  return module;
}

/** The answer to a question of the API of the page, by its name and its fields. */
export async function question(name, fields = {}) {
  begun ??= begin();
  const module = await begun;
  let reply;
  try {
    reply = module.ask(name, fields);
  } catch (error) {
    // Its memory is of no use any more.
    begun = undefined;
    throw new Problem({ code: 'failed', error: `The program ended: ${module.failure ?? error}` });
  }
  if (reply.problem) throw new Problem(reply.problem);
  return reply.answer;
}

/** The scores of a position and of all its lines, solved if no book holds them. */
export async function ask(position, { details, ...asked } = {}) {
  const query = () => question('query', { position, details, ...asked });
  try {
    return await query();
  } catch (problem) {
    if (problem.code !== 'not_solved') throw problem;
  }
  await question('solve', { position, ...asked });
  return query();
}
