// The way to ask without a server: workers of this browser. The served page has a file of the same name that asks over HTTP.
//
// One helper solves, with as many threads as the browser lets it have, and keeps what it has solved. While it is busy, or after a solve was cancelled, another one answers, from
// books alone. A third one answers what needs no scores, before the books have come.

import { file, workerAddress } from './files.js';
import { Helper, Problem } from './helper.js';

/** Most bytes of memory that solving may take, with all that was solved before: more on a machine that has 8 GB. A module has at most 4 GiB. */
const MOST = navigator.deviceMemory >= 8 ? 3.4e9 : 2e9;
/** Longest solve, in seconds, that begins unasked while one plays. */
export const BACKGROUND = 20;
/** Longest solve, in seconds, that goes on after it was cancelled: what the helper has solved before is worth more. */
const MOMENT = 3;
/** Solves whose end is remembered. */
const REMEMBERED = 64;
/** The most threads: each has a share of the memory. */
const THREADS = 16;

/** Seconds in which workers begin, and those of a solve from which on it tells how fast this machine is. */
const BEGIN = 0.15;
const TELLING = 1;

/** Who comes without an address begins here, before the books have come. */
export const START = '4x4:0';
/** Questions that need no scores. */
const PLAIN = ['advice', 'board', 'opponent', 'problems', 'read'];

async function loadProgram() {
  const [address, compiled] = await Promise.all([workerAddress(), file('dab.wasm').then(WebAssembly.compile)]);
  const canShare = globalThis.crossOriginIsolated && WebAssembly.Module.exports(compiled).some(({ name }) => name === 'begin_threads');
  return { address, compiled, books: [], memory: MOST, threads: canShare ? Math.min(navigator.hardwareConcurrency, THREADS) : 1 };
}

async function load() {
  const { books } = JSON.parse(new TextDecoder().decode(await file('files.json')));
  const book = async (name) => ({ name, bytes: new Uint8Array(await file(`books/${name}`)) });
  return { ...await program, books: await Promise.all(books.map(book)) };
}

/** Says something where the page has nothing to show yet. */
const say = (text) => { document.querySelector('#verdict').textContent = text; };

say('Loading…');
const program = loadProgram();
const loaded = load();
loaded.catch((error) => say(`The program cannot be loaded: ${error.message}`));
/** Those that do not solve, by the parts that they have. */
const others = new Map();
let solver = null;
let job = null;
/** The time that the last telling solve took, as a part of what its plan said. */
let pace = 1;
/** The last solves by number: two parts of the page may ask about theirs. */
const jobs = new Map();
/** Solves that the solver has not ended; a cancelled one may be among them. */
let solves = 0;

const isRunning = () => job?.state === 'running';

/** The worker that solves. */
function theSolver(parts) {
  if (!solver || solver.isOver) solver = new Helper({ ...parts, hasThreads: parts.threads > 1 });
  return solver;
}

// Its workers begin as soon as they have books: who comes will soon want a solve.
loaded.then(theSolver, () => {});

/** The answer to a question of docs/API.md. A worker that ends before it has answered leaves the question to another one. */
export async function ask(question, fields) {
  const isPlain = PLAIN.includes(question);
  const parts = await (isPlain ? program : loaded);
  for (;;) {
    // Who asks for a plan may soon want the solve.
    if (question === 'plan' && solves === 0) theSolver(parts);
    const isFree = !isPlain && solver && !solver.isOver && solves === 0;
    if (!isFree && others.get(parts)?.isOver !== false) others.set(parts, new Helper(parts));
    try {
      const answer = await (isFree ? solver : others.get(parts)).ask(question, fields);
      return question === 'plan' ? { ...answer, seconds: BEGIN + answer.seconds * pace } : answer;
    } catch (problem) {
      if (problem.code !== 'stopped') throw problem;
    }
  }
}

export const sources = async () => ({ sources: await ask('sources', {}) });

/** Begins to solve a position. */
export async function solve(fields) {
  const before = pace;
  const plan = await ask('plan', fields);
  // What takes a moment is waited for.
  while (isRunning() && job.plan.seconds <= MOMENT) await job.over;
  if (isRunning()) throw new Problem({ code: 'busy', error: 'Another position is being solved.' });
  // Memory that a worker had once stays with it, so a large solve gets a new worker.
  if (solver && solver.bytes + plan.memory > MOST) solver.end();
  const { positions } = plan;
  job = { id: (job?.id ?? 0) + 1, state: 'running', positions, solved: 0, plan, pace: before, begin: performance.now() };
  job.over = run(job, fields);
  jobs.set(job.id, job);
  jobs.delete(job.id - REMEMBERED);
  return solving(job.id);
}

async function run(begun, fields) {
  solves += 1;
  try {
    const parts = await loaded;
    if (begun.state === 'cancelled') return;
    await theSolver(parts).ask('solve', fields, (solved) => { begun.solved = solved; });
    begun.state = 'done';
    const seconds = (performance.now() - begun.begin) / 1000;
    if (seconds > TELLING) pace = begun.pace * (seconds - BEGIN) / (begun.plan.seconds - BEGIN);
  } catch ({ code, message }) {
    if (begun.state !== 'cancelled') Object.assign(begun, { state: 'failed', problem: { code, error: message } });
  } finally {
    solves -= 1;
  }
  begun.end ??= performance.now();
}

/** The progress of a solve. */
export async function solving(id) {
  if (!jobs.has(id)) throw new Problem({ code: 'not_found', error: 'There is no such solve.' });
  const { begin, end = performance.now(), over, pace: _, ...status } = jobs.get(id);
  return { ...status, seconds: (end - begin) / 1000 };
}

/** Ends a solve, and the worker with it unless it ends in a moment. */
export async function cancel(id) {
  if (job?.id === id && isRunning()) {
    Object.assign(job, { state: 'cancelled', end: performance.now() });
    if (job.plan.seconds > MOMENT) solver?.end();
  }
  return solving(id);
}
