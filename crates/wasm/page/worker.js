// A worker with one instance of the module. The first one is told `begin` once, with the compiled module and the books, and then answers
// each question with a message of the same `id`. It hears nothing while it answers. Where pages may share memory, it asks for others, which
// are told where in its memory their thread has its stack (`crates/wasm/src/threads.rs`).

/** Milliseconds between two reports of progress. */
const PAUSE = 100;
/** Pages of memory at the beginning, and the most, which not every browser has room for. */
const PAGES = [256, 65536];
/** Milliseconds when this worker began; all have the same clock. */
const ORIGIN = performance.timeOrigin;
/** Bytes of the stack of a thread. */
const STACK = 1 << 20;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module: text in, text out (`crates/wasm/src/abi.rs`). */
class Module {
  /** An instance with a memory of its own, or with that of others. `onSolved` hears how many positions of a solve are solved. */
  static async of(compiled, onSolved, memory = ownMemory(compiled)) {
    const module = new Module();
    const env = {
      memory,
      now: () => ORIGIN + performance.now(),
      solved: onSolved,
      failed: (at, length) => { failure = module.text(at, length); },
    };
    module.exports = (await WebAssembly.instantiate(compiled, { env })).exports;
    module.memory = memory ?? module.exports.memory;
    return module;
  }

  /** Bytes of its memory, which never shrinks. */
  get bytes() {
    return this.memory.buffer.byteLength;
  }

  text(at, length) {
    // Shared memory is not decoded where it is.
    return decoder.decode(new Uint8Array(this.memory.buffer, at, length).slice());
  }

  /** Hands over a name and the bytes that belong to it. */
  input(name, rest) {
    const head = encoder.encode(`${name}\n`);
    const at = this.exports.input(head.length + rest.length);
    const memory = new Uint8Array(this.memory.buffer);
    memory.set(head, at);
    memory.set(rest, at + head.length);
  }

  addBook(name, bytes) {
    this.input(name, bytes);
    this.exports.add_book();
  }

  /** The reply to a question, `{ answer }` or `{ problem }`. After an exception the instance is of no use any more. */
  ask(question, fields) {
    this.input(question, encoder.encode(JSON.stringify(fields)));
    const length = this.exports.ask();
    return JSON.parse(this.text(this.exports.output(), length));
  }
}

/** Memory for a module that takes it from outside, as one with threads does. */
function ownMemory(compiled) {
  if (!WebAssembly.Module.imports(compiled).some(({ kind }) => kind === 'memory')) return undefined;
  let [initial, maximum] = PAGES;
  for (;;) {
    try {
      return new WebAssembly.Memory({ initial, maximum, shared: true });
    } catch (error) {
      if (maximum <= initial) throw error;
      maximum /= 2;
    }
  }
}

let begun;
/** The last words of the module. */
let failure;
let asked;
let told = 0;

function tell(solved) {
  const now = performance.now();
  if (now - told < PAUSE) return;
  told = now;
  postMessage({ id: asked, solved });
}

/** Solves take so many threads and bytes; only the worker that solves `hasThreads`. */
async function begin({ compiled, books, threads, memory: bytes, hasThreads }) {
  const module = await Module.of(compiled, tell);
  const { exports, memory } = module;
  exports.begin(threads, bytes);
  for (const { name, bytes } of books) module.addBook(name, bytes);
  if (hasThreads) {
    for (let n = 1; n < threads; n += 1) postMessage({ thread: { compiled, memory, at: exports.room(STACK + exports.__tls_size.value) } });
    exports.begin_threads(threads);
  }
  return module;
}

/** Is a thread of the module, whose stack is below its own memory. */
async function work({ compiled, memory, at }) {
  const module = await Module.of(compiled, tell, memory);
  module.exports.__stack_pointer.value = at + STACK;
  module.exports.__wasm_init_tls(at + STACK);
  module.exports.work();
}

addEventListener('message', async ({ data: { id, question, fields, ...rest } }) => {
  if (rest.begin) begun = begin(rest.begin);
  try {
    if (rest.thread) await work(rest.thread);
    const module = await begun;
    if (!question) return;
    asked = id;
    postMessage({ id, ...module.ask(question, fields), bytes: module.bytes });
  } catch (error) {
    postMessage({ id, problem: { code: 'failed', error: `The program ended: ${failure ?? error}` }, isOver: true });
  }
});
