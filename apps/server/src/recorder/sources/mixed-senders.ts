import type { SourceSink } from '../components.ts';

/**
 * Number of changes of sender within WITHIN_MS that is reported as mixing. A sender that gets a new port or switches to
 * a backup path causes only one change.
 */
const CHANGES = 10;
const WITHIN_MS = 2000;
/** Time after which the mixing counts as over, if only one sender was received. */
const ALONE_MS = 5000;
const MIXED =
  'Two senders send to this port at once, and their streams are mixed: stop one of them, or list under "from" which ' +
  'one may send';

/**
 * Notifies the operator when two senders alternate at one port, since the recording would mix both streams. RTP packets
 * with the same SSRC received over two paths are one stream (ST 2022-7).
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
    /** Called for a datagram of transport packets without RTP. */
    bare: saw,
    rtp: (ssrc: number, nowMs: number) => saw('RTP', ssrc, nowMs),
  };
}
