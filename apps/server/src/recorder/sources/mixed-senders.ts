import type { SourceSink } from '../parts.ts';

/** A sender that comes back with another port, or a path that takes over, changes once. */
const CHANGES = 10;
const WITHIN_MS = 2000;
/** One sender alone for this long: it is over. */
const ALONE_MS = 5000;
const MIXED =
  'Two senders send to this port at once, and their streams are mixed: stop one of them, or list under "from" which ' +
  'one may send';

/**
 * Notifies the operator when the streams of two senders come to one port in turns: what is recorded then is neither of
 * them. RTP of one SSRC over two paths is one stream (ST 2022-7).
 */
export function mixedSenders({ problem }: Pick<SourceSink, 'problem'>) {
  let last: { address: string; port: number } | null = null;
  let changes = 0;
  let fromMs = 0;
  let changedMs = 0;
  let isReported = false;

  function saw(address: string, port: number, nowMs: number): void {
    if (last?.port === port && last.address === address) {
      if (isReported && nowMs - changedMs > ALONE_MS) {
        isReported = false;
        problem(null);
      }
      return;
    }
    if (nowMs - fromMs > WITHIN_MS) {
      fromMs = nowMs;
      changes = 0;
    }
    if (last !== null) changes += 1;
    last = { address, port };
    changedMs = nowMs;
    if (changes < CHANGES || isReported) return;
    isReported = true;
    problem(MIXED, true);
  }

  return {
    /** A datagram of bare packets. */
    bare: saw,
    rtp: (ssrc: number, nowMs: number) => saw('RTP', ssrc, nowMs),
  };
}
