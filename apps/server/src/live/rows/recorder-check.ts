import type { RecorderMirror } from './mirror.ts';

/** Time for which an error stays visible, in milliseconds. */
const SHOWN_MS = 3_600_000;

/** Health check of the recorder. */
export function recorderCheck({ mirror, nowMs }: { mirror: RecorderMirror; nowMs: () => number }) {
  let last: { info: string; atMs: number } | null = null;
  mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'error') last = { info: message.info, atMs: nowMs() };
    },
  });

  return async () => {
    const name = 'recorder';
    if (!mirror.connected()) {
      const text = 'The recorder does not answer: nothing is received or recorded. It is started again by itself.';
      return { name, state: 'failed' as const, text };
    }
    if (last !== null && nowMs() - last.atMs < SHOWN_MS) {
      return { name, state: 'warning' as const, text: `Recorder error: ${last.info.replace(/\.$/, '')}.` };
    }
    const aside = [...mirror.sources()].filter((source) => source.aside).length;
    if (aside > 0) {
      const sensors = aside === 1 ? '1 sensor is' : `${aside} sensors are`;
      const text = `${sensors} set aside, because reading the stream failed twice within a minute. The live platforms show which, with a button to try again.`;
      return { name, state: 'warning' as const, text };
    }
    const count = mirror.running().length;
    const platforms = count === 0 ? 'nothing' : count === 1 ? '1 platform' : `${count} platforms`;
    return { name, state: 'ok' as const, text: `Running, ${platforms} recording.` };
  };
}
