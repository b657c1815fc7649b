import type { FromRecorder } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from '../rows/mirror.ts';

export type RingChanges = ReturnType<typeof ringChanges>;

type Waiting = { sensorId: string; isThere: () => boolean };

/** Wakes requests that wait for segments not yet announced by the recorder. */
export function ringChanges({ subscribe, recordedAs }: Pick<RecorderMirror, 'subscribe' | 'recordedAs'>) {
  const waiting = new Map<string, Set<() => void>>();
  subscribe({
    onMessage(message) {
      for (const sensorId of notifiedOf(message)) for (const listener of waiting.get(sensorId) ?? []) listener();
    },
  });

  /** Returns the sensors that a message concerns, among those being waited for. */
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

  function add(sensorId: string, listener: () => void): () => void {
    const own = waiting.get(sensorId) ?? new Set();
    waiting.set(sensorId, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0) waiting.delete(sensorId);
    };
  }

  return {
    /** Waits until `isThere` returns true. Resolves to false on timeout, or if the request is aborted. */
    until(
      { sensorId, isThere }: Waiting,
      { seconds, signal }: { seconds: number; signal: AbortSignal },
    ): Promise<boolean> {
      if (isThere() || signal.aborted) return Promise.resolve(!signal.aborted);
      return new Promise((resolve) => {
        const end = (came: boolean) => {
          clearTimeout(late);
          removeListener();
          signal.removeEventListener('abort', stop);
          resolve(came);
        };
        const stop = () => end(false);
        const late = setTimeout(stop, seconds * 1000);
        const removeListener = add(sensorId, () => isThere() && end(true));
        signal.addEventListener('abort', stop);
      });
    },
  };
}
