import { Buffer } from 'node:buffer';
import { MAX_LINE_BYTES } from '@osprey/ais';
import { STAMP_BYTES } from '../../recorder-wire/ais-files.ts';
import type { AisCounts } from '../../recorder-wire/protocol.ts';
import { sentenceLimit } from './sentence-limit.ts';
import { sentenceIn } from './sentences.ts';
import { writeStamped } from './stamp.ts';

const RATE_MS = 3000;

type Options = {
  nowMs: () => number;
  /** A line with a sentence, after the time of its reception; the memory is used again. */
  onLine: (stamped: Uint8Array) => void;
  /** A line without one. */
  onJunk?: () => void;
};

/** Counts the lines of one source of AIS, hands on those with a sentence, and drops what is beyond the limit. */
export function sentenceIntake({ nowMs, onLine, onJunk }: Options) {
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
      if (!limit.takes(nowMs())) {
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
