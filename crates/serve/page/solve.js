// Unsolved positions: the plan of a solve, its progress, and a button that stops it.

import * as api from './api.js';
import { html } from './element.js';

/** Longest solve, in seconds, that starts without a question. */
const MOMENT = 3;
const POLL = 200;
/** Milliseconds before a solve shows its progress. */
const PATIENCE = 300;

const count = (n) => n.toLocaleString('en');
const time = (s) => (s < 1 ? 'less than a second' : s < 90 ? `about\u00a0${Math.round(s)}\u00a0s` : `about\u00a0${Math.round(s / 60)}\u00a0min`);
/** The time left when a part has taken so many seconds, as far as that tells. */
const left = (part, s) => (part > 0.05 && s > 1 ? `, ${time(s / part - s)} left` : '');

/** A text whose commands stand in quotes. */
const commands = (text) => text.split(/'(dab [^']*)'/).map((piece, i) => (i % 2 === 1 ? html('code', {}, piece) : piece));

export class Solver {
  /** Calls `onDone` after a solve of the position that `what` names. */
  constructor(element, onDone, what = 'Position') {
    Object.assign(this, { element, onDone, what, job: null, turn: 0, isRefused: false });
  }

  /** Hides an offer that another position had; a running solve may be of use yet. */
  wait() {
    this.turn += 1;
    if (!this.isWondering) this.hide();
  }

  hide() {
    this.isWondering = false;
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /** Hides the offer: the position on the board needs no solve. */
  leave() {
    this.wait();
    this.hide();
    this.stop();
  }

  /** Starts to solve a position. */
  start(position, penalty) {
    return this.begin(++this.turn, position, 0n, penalty);
  }

  /**
   * Solves a position at once if that takes only a moment, and in the background if it takes no longer than one thinks and `isPlayed`; else
   * offers it. Calls `onWait` unless the scores come in a moment. `horizon` finds the line from which on solves are short.
   */
  async want(position, drawn, penalty, { isPlayed = false, horizon, onWait = () => {} } = {}) {
    const turn = ++this.turn;
    const { job } = this;
    const isCovered = job?.covers(position, drawn, penalty);
    try {
      if (!isCovered) this.stop();
      const slow = setTimeout(() => turn === this.turn && !this.isWondering && this.say('Not solved yet', 'Working out what that takes…'), PATIENCE);
      const plan = await api.plan(position, penalty).finally(() => clearTimeout(slow));
      if (turn !== this.turn) return;
      const left = isCovered && this.job === job ? job.plan.seconds - (performance.now() - job.since) / 1000 : Infinity;
      if (Math.min(left, plan.seconds) > MOMENT) onWait();
      if (left <= plan.seconds) return await this.follow(turn);
      this.stop();
      if (plan.seconds <= (isPlayed && !this.isRefused ? api.BACKGROUND : MOMENT)) await this.begin(turn, position, drawn, penalty);
      else this.offer(turn, plan, position, drawn, penalty);
    } catch (problem) {
      if (turn !== this.turn) return;
      if (problem.code === 'too_much' && horizon) this.wonder(turn, problem.message, horizon);
      else this.say('Not solved', problem.message);
      onWait();
    }
  }

  /** Says from when on scores are known, and folds away what it would take now. It stays until there is something else to say. */
  async wonder(turn, message, horizon) {
    const say = (when) => {
      this.say('Not known yet', `Nobody can work out the score in time this early. ${when}`,
        html('details', {}, html('summary', {}, 'What it would take'), html('p', {}, ...commands(message))));
      this.isWondering = true;
    };
    if (!this.isWondering) say('Until later in the game there are estimates.');
    const line = await horizon().catch(() => null);
    if (line !== null && turn === this.turn) say(`From about line ${line} on it is exact; until then there are estimates, wrong by about a box.`);
  }

  say(title, text, ...more) {
    this.isWondering = false;
    this.element.hidden = false;
    this.element.replaceChildren(html('h2', {}, title), html('p', {}, ...commands(text)), ...more);
  }

  offer(turn, plan, position, drawn, penalty, text = 'No run or book that is served holds this position.') {
    const begin = () => this.begin(turn, position, drawn, penalty);
    const cost = plan ? `${count(plan.positions)} positions, ${time(plan.seconds)}` : '';
    this.say('Not solved yet', text, html('div', { class: 'row' },
      html('span', {}, cost), html('button', { type: 'button', class: 'primary', id: 'begin', onclick: begin }, 'Solve')));
  }

  async begin(turn, position, drawn, penalty) {
    try {
      const status = await api.solve(position, penalty);
      const board = position.slice(0, position.lastIndexOf(':'));
      const covers = (other, lines, cost) =>
        other.slice(0, other.lastIndexOf(':')) === board && (drawn & ~lines) === 0n && cost === penalty;
      this.job = { id: status.id, covers, again: () => this.begin(this.turn, position, drawn, penalty), plan: status.plan, since: performance.now() };
      if (turn !== this.turn) return this.stop();
      await this.follow(turn);
    } catch (problem) {
      if (turn !== this.turn) return;
      if (problem.code !== 'busy') return this.offer(turn, null, position, drawn, penalty, problem.message);
      this.say(`${this.what}: waiting`, problem.message);
      await new Promise((resolve) => setTimeout(resolve, POLL));
      if (turn === this.turn) await this.begin(turn, position, drawn, penalty);
    }
  }

  /** Shows the progress of the solve, until it ends or the page shows another position. */
  async follow(turn) {
    const { job } = this;
    const bar = html('progress', { max: 1, value: 0, 'aria-label': 'Positions solved' });
    const text = html('span', {});
    const row = html('div', { class: 'row' }, text, html('button', { type: 'button', id: this.what === 'Position' && 'cancel', onclick: () => this.cancel() }, 'Cancel'));
    let isShown = false;
    while (turn === this.turn) {
      const status = await api.solving(job.id);
      if (turn !== this.turn) return;
      if (status.state !== 'running') return this.end(status);
      if (!isShown && 1000 * status.seconds > PATIENCE) {
        this.say(`${this.what}: solving`, `${count(status.positions)} positions`, bar, row);
        isShown = true;
      }
      bar.value = status.positions === 0 ? 0 : status.solved / status.positions;
      text.textContent = `${Math.floor(100 * bar.value)} %, ${Math.round(status.seconds)} s${left(bar.value, status.seconds)}`;
      await new Promise((resolve) => setTimeout(resolve, isShown ? POLL : 30));
    }
  }

  end(status) {
    const { again } = this.job;
    this.job = null;
    if (status.state === 'done') {
      this.leave();
      return this.onDone();
    }
    const why = {
      cancelled: 'It was cancelled.', out_of_time: 'It took longer than is allowed.',
      abandoned: 'It was not needed any more.', failed: status.problem?.error,
    }[status.state];
    this.ended(why ?? status.state, again);
  }

  ended(why, again) {
    this.say('Not solved', why, html('div', { class: 'row' },
      html('span', {}), html('button', { type: 'button', onclick: again }, 'Try again')));
  }

  /** Cancels the solve as the player wants. The server ends it at its next good place; the page does not wait for that. */
  cancel() {
    const { again } = this.job;
    // Nothing is solved unasked after that.
    this.isRefused = true;
    this.turn += 1;
    this.stop();
    this.ended('It was cancelled.', again);
  }

  /** Cancels the running solve: the page does not need it any more. */
  stop() {
    if (this.job) api.cancel(this.job.id).catch(() => {});
    this.job = null;
  }
}
