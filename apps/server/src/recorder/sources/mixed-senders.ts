import type { SourceSink } from '../components.ts';

/**
 * Changes of sender within WITHIN_MS that are reported. A sender with a new port, or a backup path, changes only once.
 */
const CHANGES = 10;
const WITHIN_MS = 2000;
/** When one sender has been alone for this long, the mixing is over. */
const ALONE_MS = 5000;
const MIXED =
  'Two senders send to this port at once, and their streams are mixed: stop one of them, or list under "from" which ' +
  'one may send';

/**
 * Notifies the operator when streams of two senders alternate at one port: the recording would be a mix of both. RTP of
 * one SSRC over two paths is one stream (ST 2022-7).
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
    /** Reports a datagram of bare packets. */
    bare: saw,
    rtp: (ssrc: number, nowMs: number) => saw('RTP', ssrc, nowMs),
  };
}
