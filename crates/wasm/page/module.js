// The module: text in, text out. It has no threads, so a question keeps it busy until it is answered.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An error that the module reports: a code for programs, a message for people. */
export class Problem extends Error {
  constructor({ code, error }) {
    super(error);
    this.code = code;
  }
}

export class Module {
  /** An instance of a compiled module; `onSolved` hears how many positions of a solve are solved. */
  static async of(compiled, onSolved = () => {}) {
    const module = new Module();
    const env = {
      now: () => performance.now(),
      solved: (positions) => onSolved(positions),
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

  /** The answer to a question. After an error other than a `Problem` the instance is of no use any more. */
  ask(question, fields) {
    this.input(question, encoder.encode(JSON.stringify(fields)));
    const length = this.exports.ask();
    const { answer, problem } = JSON.parse(this.text(this.exports.output(), length));
    if (problem) throw new Problem(problem);
    return answer;
  }
}
