import type { FromRecorder } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from '../rows/mirror.ts';

export type RingChanges = ReturnType<typeof ringChanges>;

type Waiting = { sensorId: string; isThere: () => boolean };

/** Wakes requests that wait for segments not yet announced by the recorder. */
export function ringChanges({ subscribe, recordedAs }: Pick<RecorderMirror, 'subscribe' | 'recordedAs'>) {
  const waiting = new Map<string, Set<() => void>>();
  subscribe({
    onMessage(message) {
      for (const sensorId of notifiedOf(message)) for (const look of waiting.get(sensorId) ?? []) look();
    },
  });

  /** The sensors, among those waited for, that a message is about. */
  function notifiedOf(message: FromRecorder): Iterable<string> {
    switch (message.kind) {
      case 'ring':
        return [message.segment.sensorId];
      case 'ringCut':
      case 'sourceGone':
        return [message.sensorId];
      case 'segment':
        return [...waiting.keys()].filter(
          (sensorId) => recordedAs(sensorId)?.recording.missionId === message.segment.missionId,
        );
      case 'recording':
        return message.recording.sensors.map(({ liveSensorId }) => liveSensorId);
      case 'hello':
        return [...waiting.keys()];
      default:
        return [];
    }
  }

  function add(sensorId: string, look: () => void): () => void {
    const own = waiting.get(sensorId) ?? new Set();
    waiting.set(sensorId, own.add(look));
    return () => {
      own.delete(look);
      if (own.size === 0) waiting.delete(sensorId);
    };
  }

  return {
    /** Waits until `isThere`. False if it did not happen in time, or the request was aborted. */
    until(
      { sensorId, isThere }: Waiting,
      { seconds, signal }: { seconds: number; signal: AbortSignal },
    ): Promise<boolean> {
      if (isThere() || signal.aborted) return Promise.resolve(!signal.aborted);
      return new Promise((resolve) => {
        const end = (came: boolean) => {
          clearTimeout(late);
          leave();
          signal.removeEventListener('abort', stop);
          resolve(came);
        };
        const stop = () => end(false);
        const late = setTimeout(stop, seconds * 1000);
        const leave = add(sensorId, () => isThere() && end(true));
        signal.addEventListener('abort', stop);
      });
    },
  };
}
