// A worker with one instance of the module. It is told `begin` once, with the compiled module and the books, and then answers
// each question with a message of the same `id`. It has no threads, so it hears nothing while it answers.

/** Milliseconds between two reports of progress. */
const PAUSE = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module: text in, text out (`crates/wasm/src/abi.rs`). */
class Module {
  /** `onSolved` hears how many positions of a solve are solved. */
  static async of(compiled, onSolved) {
    const module = new Module();
    const env = {
      now: () => performance.now(),
      solved: onSolved,
      failed: (at, length) => { module.failure = module.text(at, length); },
    };
    module.exports = (await WebAssembly.instantiate(compiled, { env })).exports;
    module.exports.begin();
    return module;
  }

  /** Bytes of its memory, which never shrinks. */
  get bytes() {
    return this.exports.memory.buffer.byteLength;
  }

  text(at, length) {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }

  /** Hands over a name and the bytes that belong to it. */
  input(name, rest) {
    const head = encoder.encode(`${name}\n`);
    const at = this.exports.input(head.length + rest.length);
    const memory = new Uint8Array(this.exports.memory.buffer);
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
    postMessage({ id, ...module.ask(question, fields), bytes: module.bytes });
  } catch (error) {
    postMessage({ id, problem: { code: 'failed', error: `The program ended: ${module?.failure ?? error}` }, isOver: true });
  }
});
