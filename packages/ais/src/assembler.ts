import { MAX_SYMBOLS } from './payload.ts';

/** Maximum time between the first and the last part of a message, in µs. */
const TIME_LIMIT_US = 2_000_000;
/** Maximum number of sentences between the first and the last part, for input without times. */
const SENTENCE_LIMIT = 200;
/** Maximum number of incomplete messages at a time; a further one replaces the oldest. */
const MAX_OPEN = 64;
const MAX_PARTS = 9;

/** Fields of a part that identify its message. */
export type PartKey = {
  total: number;
  /** Sequential message identifier 0 to 9, or -1. */
  sequence: number;
  channel: number;
  /** Talker and formatter, combined in one number. */
  talker: number;
  source: string | null;
  /** Group number of the tag block, or -1. */
  group: number;
  /** Time stated for the sentence, or NaN. */
  timeUs: number;
};

/** A message of which parts are still missing. */
export class OpenMessage {
  total = 0;
  sequence = -1;
  channel = 0;
  talker = 0;
  source: string | null = null;
  group = -1;
  /** Time at which its first part was received; NaN for a file. */
  clockUs = Number.NaN;
  sentence = 0;
  offset = 0;
  /** Stated time of its first part that has one. */
  timeUs = Number.NaN;
  timeInTag = false;
  received = 0;
  readonly #bytes = new Uint8Array(MAX_SYMBOLS);
  readonly #starts = new Int32Array(MAX_PARTS + 1);
  readonly #ends = new Int32Array(MAX_PARTS + 1);
  #length = 0;
  fill = 0;

  get isStarted(): boolean {
    return (this.received & 2) !== 0;
  }

  open(key: PartKey) {
    this.total = key.total;
    this.sequence = key.sequence;
    this.channel = key.channel;
    this.talker = key.talker;
    this.source = key.source;
    this.group = key.group;
    this.timeUs = key.timeUs;
    this.received = 0;
    this.#length = 0;
    this.fill = 0;
  }

  /**
   * Adds a part.
   *
   * @returns false if the message would exceed the maximum length
   */
  add(part: number, bytes: Uint8Array, start: number, end: number, fill: number): boolean {
    if (this.#length + end - start > MAX_SYMBOLS) return false;
    for (let i = start; i < end; i++) this.#bytes[this.#length + i - start] = bytes[i]!;
    this.#starts[part] = this.#length;
    this.#length += end - start;
    this.#ends[part] = this.#length;
    this.received |= 1 << part;
    // Only the fill bits of the last part count; those of earlier parts do not belong to the message.
    if (part === this.total) this.fill = fill;
    return true;
  }

  has(part: number): boolean {
    return (this.received & (1 << part)) !== 0;
  }

  get isComplete(): boolean {
    return this.received === (2 << this.total) - 2;
  }

  /** Writes the parts in order. @returns the number of bytes */
  join(target: Uint8Array): number {
    let length = 0;
    for (let part = 1; part <= this.total; part++) {
      for (let i = this.#starts[part]!; i < this.#ends[part]!; i++) target[length++] = this.#bytes[i]!;
    }
    return length;
  }
}

/**
 * Joins the sentences of one message (IEC 61162-1, VDM and VDO). Parts belong together if total, sequence, channel and
 * talker are equal, and if source, tag-block group and time are equal where both parts state them, since a second part
 * often has no source.
 */
export class Assembler {
  /** Incomplete messages, oldest first. */
  readonly #open: OpenMessage[] = [];
  readonly #spare: OpenMessage[] = [];
  readonly #onDropped: (message: OpenMessage) => void;

  constructor(onDropped: (message: OpenMessage) => void) {
    this.#onDropped = onDropped;
  }

  /** Returns the open message that still lacks this part, or a new one. It remains open until `close`. */
  find(key: PartKey, part: number, clockUs: number, sentence: number): OpenMessage {
    this.#expire(clockUs, sentence);
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const message = this.#open[i]!;
      if (!isSameMessage(message, key)) continue;
      if (!message.has(part)) return message;
      // The message already has this part, so a new message with the same number begins, and the old one remains
      // incomplete.
      this.#drop(i);
      break;
    }
    if (this.#open.length >= MAX_OPEN) this.#drop(0);
    const message = this.#spare.pop() ?? new OpenMessage();
    message.open(key);
    message.clockUs = clockUs;
    message.sentence = sentence;
    this.#open.push(message);
    return message;
  }

  /** Ends a message that is complete or can no longer become so. */
  close(message: OpenMessage) {
    this.#open.splice(this.#open.indexOf(message), 1);
    this.#spare.push(message);
  }

  dropAll() {
    while (this.#open.length > 0) this.#drop(0);
  }

  forgetAll() {
    this.#spare.push(...this.#open.splice(0));
  }

  #expire(clockUs: number, sentence: number) {
    while (this.#open.length > 0) {
      const { clockUs: since, sentence: first } = this.#open[0]!;
      // The clock may be set back, so the difference counts in either direction.
      const isOld = Math.abs(clockUs - since) > TIME_LIMIT_US;
      if (!isOld && (!Number.isNaN(clockUs) || sentence - first <= SENTENCE_LIMIT)) break;
      this.#drop(0);
    }
  }

  #drop(index: number) {
    const [message] = this.#open.splice(index, 1);
    this.#onDropped(message!);
    this.#spare.push(message!);
  }
}

function isSameMessage(message: OpenMessage, key: PartKey): boolean {
  if (message.total !== key.total || message.sequence !== key.sequence) return false;
  if (message.channel !== key.channel || message.talker !== key.talker) return false;
  if (message.source !== key.source && message.source !== null && key.source !== null) return false;
  if (message.group >= 0 && key.group >= 0) return message.group === key.group;
  return !(Math.abs(message.timeUs - key.timeUs) > TIME_LIMIT_US);
}
