import { Buffer } from 'node:buffer';
import { MAX_LINE_BYTES } from '@osprey/ais';
import { STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import type { AisCounts } from '../../recorder-wire/protocol.ts';
import { writeStamped } from './stamp.ts';

const RATE_MS = 3000;
/** Maximum number of sentences per second from one source (trust.md); further ones are dropped and counted. */
const SENTENCES_PER_SECOND = 5000;
const BANG = 0x21;
const STAR = 0x2a;
const BACKSLASH = 0x5c;

type Options = {
  nowMs: () => number;
  /** Receives a line with a sentence, preceded by its time stamp; the buffer is reused after the call. */
  onLine: (stamped: Uint8Array) => void;
  /** Called for a line without a sentence. */
  onJunk?: () => void;
};

/** Counts the lines of one AIS source, passes on those with a sentence, and drops sentences beyond the rate limit. */
export function sentenceReader({ nowMs, onLine, onJunk }: Options) {
  const limit = sentenceLimit();
  const stamped = Buffer.alloc(STAMP_BYTES + MAX_LINE_BYTES + 1);
  const counts: AisCounts = { sentences: 0, perSecond: 0, checksumFaults: 0, dropped: 0, otherLines: 0, lastUs: null };
  const rate = { sinceMs: nowMs(), sentences: 0 };

  return {
    counts: (): AisCounts => ({ ...counts }),

    /** Processes one line without its line end. */
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
      // Sentences with a wrong checksum are written too, since everything that a receiver sent is kept unchanged.
      if (seen === 'checksum') counts.checksumFaults += 1;
      counts.lastUs = arrivalUs;
      onLine(stamped.subarray(0, writeStamped(stamped, line, arrivalUs)));
    },

    /** Updates the number of sentences per second, averaged over the last few seconds. */
    measure(): void {
      const passedMs = nowMs() - rate.sinceMs;
      if (passedMs < RATE_MS) return;
      counts.perSecond = Math.round(((counts.sentences - rate.sentences) * 10_000) / passedMs) / 10;
      rate.sinceMs = nowMs();
      rate.sentences = counts.sentences;
    },
  };
}

/** A token bucket for sentences, which allows a burst of as many sentences as one second may have. */
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

/** Result of checking the AIS sentence in a line, after any tag blocks and time stamps. */
type Seen = 'good' | 'checksum' | 'none';

/**
 * Returns whether a line contains a sentence that begins with `!`, and whether the first one's checksum, if it has one,
 * is correct.
 */
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
