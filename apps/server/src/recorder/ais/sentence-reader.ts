import { Buffer } from 'node:buffer';
import { MAX_LINE_BYTES } from '@osprey/ais';
import { STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import type { AisCounts } from '../../recorder-wire/protocol.ts';
import { writeStamped } from './stamp.ts';

const RATE_MS = 3000;
/** Most sentences of one source (trust.md): the rest is dropped and counted. */
const SENTENCES_PER_SECOND = 5000;
const BANG = 0x21;
const STAR = 0x2a;
const BACKSLASH = 0x5c;

type Options = {
  nowMs: () => number;
  /** A line with a sentence, after the time of its reception; the memory is used again. */
  onLine: (stamped: Uint8Array) => void;
  /** A line without one. */
  onJunk?: () => void;
};

/** Counts the lines of one source of AIS, hands on those with a sentence, and drops what is beyond the limit. */
export function sentenceReader({ nowMs, onLine, onJunk }: Options) {
  const limit = sentenceLimit();
  const stamped = Buffer.alloc(STAMP_BYTES + MAX_LINE_BYTES + 1);
  const counts: AisCounts = { sentences: 0, perSecond: 0, checksumFaults: 0, dropped: 0, otherLines: 0, lastUs: null };
  const rate = { sinceMs: nowMs(), sentences: 0 };

  return {
    counts: (): AisCounts => ({ ...counts }),

    /** One line without its end. */
    line(line: Uint8Array, arrivalUs: number): void {
      const seen = sentenceIn(line);
      if (seen === 'none') {
        counts.otherLines += 1;
        onJunk?.();
        return;
      }
      if (!limit.accepts(nowMs())) {
        counts.dropped += 1;
        return;
      }
      counts.sentences += 1;
      // Sentences with a wrong checksum stay in the file: everything that a receiver sent is kept unchanged.
      if (seen === 'checksum') counts.checksumFaults += 1;
      counts.lastUs = arrivalUs;
      onLine(stamped.subarray(0, writeStamped(stamped, line, arrivalUs)));
    },

    /** Sentences per second, over the last few. */
    measure(): void {
      const passedMs = nowMs() - rate.sinceMs;
      if (passedMs < RATE_MS) return;
      counts.perSecond = Math.round(((counts.sentences - rate.sentences) * 10_000) / passedMs) / 10;
      rate.sinceMs = nowMs();
      rate.sentences = counts.sentences;
    },
  };
}

/** A bucket of sentences that fills with time; a second's worth may come at once. */
function sentenceLimit() {
  let left = SENTENCES_PER_SECOND;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    accepts(nowMs: number): boolean {
      left = Math.min(SENTENCES_PER_SECOND, left + ((nowMs - lastMs) * SENTENCES_PER_SECOND) / 1000);
      lastMs = nowMs;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Verdict on the AIS sentence of a line, after tag blocks and times. */
type Seen = 'good' | 'checksum' | 'none';

/** Whether a line holds a sentence that begins with `!`, and whether the checksum of the first one is right where it has one. */
function sentenceIn(line: Uint8Array): Seen {
  const start = line.indexOf(BANG, line[0] === BACKSLASH ? line.lastIndexOf(BACKSLASH) : 0);
  if (start < 0) return 'none';
  let sum = 0;
  let at = start + 1;
  for (; at < line.length && line[at] !== STAR; at += 1) sum ^= line[at]!;
  if (at + 2 >= line.length) return 'good';
  const stated = Number.parseInt(String.fromCharCode(line[at + 1]!, line[at + 2]!), 16);
  return stated === sum ? 'good' : 'checksum';
}
