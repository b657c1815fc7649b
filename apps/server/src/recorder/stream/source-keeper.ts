import type { Logger } from 'pino';
import type { OpenedSource, OpenSource, SourceCounts, SourceSink } from '../components.ts';
import { SourceError } from '../sources/source-error.ts';

const FIRST_WAIT_MS = 300;
/** Maximum wait before a source is reopened; short, so that a source that restarted is soon online again. */
const WAIT_MAX_MS = 5000;

/** Keeps one source open while it is requested, and reopens it when it ends. */
export type SourceKeeper = {
  /** Sets the requested source; null: none. */
  want(source: RequestedSource | null): void;
  counts(): SourceCounts;
  /** Closes the source. Resolves when its sockets and files are closed. */
  close(): Promise<void>;
};

export type RequestedSource = { open: OpenSource; url: string; senders: readonly string[] };

type Deps = { sink: SourceSink; log: Logger };

export function sourceKeeper({ sink, log }: Deps): SourceKeeper {
  let requested: RequestedSource | null = null;
  let opened: OpenedSource | null = null;
  /** Counters summed over sources that have ended. */
  const past = { lost: 0, reordered: 0, refused: 0 };
  let failures = 0;
  let hasReceived = false;
  let couldNotOpen = false;
  let wake: (() => void) | null = null;
  let running: Promise<void> | null = null;
  /** Number of the current opening. Calls that come from an earlier source, already closed, are ignored. */
  let turn = 0;

  async function run(): Promise<void> {
    while (requested !== null) {
      const source = requested;
      hasReceived = false;
      await openOnce(source);
      if (requested === source) await pause();
    }
  }

  async function openOnce(source: RequestedSource): Promise<void> {
    const ownTurn = ++turn;
    const guarded: SourceSink = {
      reading: sink.reading,
      packets: sink.reading((bytes: Uint8Array, arrivalUs: number) => {
        if (ownTurn !== turn) return;
        hasReceived = true;
        sink.packets(bytes, arrivalUs);
      }),
      problem: (text) => {
        if (ownTurn === turn) sink.problem(text);
      },
      failed: (error) => {
        if (ownTurn === turn) sink.failed(error);
      },
    };
    try {
      const fresh = await source.open({ url: source.url, senders: source.senders }, guarded);
      opened = fresh;
      if (couldNotOpen) guarded.problem(null);
      couldNotOpen = false;
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (requested === source) await Promise.race([fresh.ended, changed]);
      await fresh.close();
      addPast(fresh.counts());
    } catch (error) {
      couldNotOpen = true;
      const isReported = error instanceof SourceError;
      if (!isReported) log.error({ error }, 'a source failed');
      guarded.problem(isReported ? error.message : 'The source cannot be opened: the log of the recorder says why');
    } finally {
      opened = null;
      wake = null;
      turn += 1;
    }
  }

  async function pause(): Promise<void> {
    failures = hasReceived ? 0 : failures + 1;
    const waitMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.max(0, failures - 1));
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wake = null;
  }

  function addPast({ lost, reordered, refused }: SourceCounts): void {
    past.lost += lost;
    past.reordered += reordered;
    past.refused += refused;
  }

  function want(next: RequestedSource | null): void {
    requested = next;
    failures = 0;
    wake?.();
    if (next === null || running !== null) return;
    running = run().finally(() => {
      running = null;
      if (requested !== null) want(requested);
    });
  }

  return {
    want,
    counts() {
      const now = opened?.counts() ?? { lost: 0, reordered: 0, refused: 0, jitterMs: null };
      return {
        lost: past.lost + now.lost,
        reordered: past.reordered + now.reordered,
        refused: past.refused + now.refused,
        jitterMs: now.jitterMs,
      };
    },
    async close() {
      want(null);
      await running;
    },
  };
}
