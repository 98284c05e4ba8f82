// A worker as the page sees it, with those that share its memory: questions and answers, until they end.

/** An error that the module reports: a code for programs, a message for people. */
export class Problem extends Error {
  constructor({ code, error }) {
    super(error);
    this.code = code;
  }
}

export class Helper {
  /** A worker of the script at `address`, with a compiled module and books. */
  constructor({ address, ...parts }) {
    Object.assign(this, { address, bytes: 0, isOver: false, last: 0, waiting: new Map(), workers: [] });
    this.start({ begin: parts });
  }

  start(message) {
    const worker = new Worker(this.address);
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = () => this.end({ code: 'failed', error: 'The browser does not run the program.' });
    worker.postMessage(message);
    this.workers.push(worker);
  }

  /** The answer to a question; `onSolved` hears how many positions are solved. */
  ask(question, fields, onSolved) {
    return new Promise((resolve, reject) => {
      const id = ++this.last;
      this.waiting.set(id, { resolve, reject, onSolved });
      this.workers[0].postMessage({ id, question, fields });
    });
  }

  hear({ id = this.last, answer, problem, solved, bytes, isOver, thread }) {
    if (thread) return this.start({ thread });
    const asked = this.waiting.get(id);
    if (solved !== undefined) return asked?.onSolved?.(solved);
    this.waiting.delete(id);
    this.bytes = bytes ?? this.bytes;
    if (problem) asked?.reject(new Problem(problem));
    else asked?.resolve(answer);
    if (isOver) this.end(problem);
  }

  /** Ends the worker, whatever it does; questions that it has not answered get `problem`. */
  end(problem = { code: 'stopped', error: 'The work was stopped.' }) {
    this.isOver = true;
    for (const worker of this.workers) worker.terminate();
    for (const { reject } of this.waiting.values()) reject(new Problem(problem));
    this.waiting.clear();
  }
}
