import type { RecorderClient, RecorderClientOptions } from '../../recorder-wire/client.ts';
import type {
  FromRecorder,
  RecordedSegment,
  RecordedSensor,
  Recording,
  RingSegment,
  SourceState,
} from '../../recorder-wire/protocol.ts';

/** Called after the mirror has changed. Listeners must not throw or wait. */
export type MirrorListener = Partial<Pick<RecorderClientOptions, 'onMessage' | 'onMedia' | 'onKlv' | 'onLost'>>;

export type MirrorOptions = { connect: (handlers: Required<MirrorListener>) => RecorderClient };

export type RecorderMirror = ReturnType<typeof recorderMirror>;

/**
 * A copy of the recorder's state in memory: sources, recordings, the ring and the segments of running recordings. One
 * connection serves all parts of the process. While the recorder is unreachable the copy is kept, so that viewers can
 * continue; its next `hello` replaces the whole copy.
 */
export function recorderMirror({ connect }: MirrorOptions) {
  const sources = new Map<string, SourceState>();
  const recordings = new Map<string, Recording>();
  const ring = new Map<string, RingSegment[]>();
  const segments = new Map<string, RecordedSegment[]>();
  const listeners = new Set<MirrorListener>();

  const client = connect({
    onMessage(message) {
      apply(message);
      for (const { onMessage } of listeners) onMessage?.(message);
    },
    onMedia: (frame) => {
      for (const { onMedia } of listeners) onMedia?.(frame);
    },
    onKlv: (frame) => {
      for (const { onKlv } of listeners) onKlv?.(frame);
    },
    onLost: () => {
      for (const { onLost } of listeners) onLost?.();
    },
  });

  function apply(message: FromRecorder): void {
    switch (message.kind) {
      case 'hello':
        for (const retained of [sources, recordings, ring, segments]) retained.clear();
        for (const source of message.sources) sources.set(source.sensorId, source);
        for (const recording of message.recordings) recordings.set(recording.missionId, recording);
        for (const segment of message.ring) addRing(segment);
        for (const segment of message.segments) addSegment(segment);
        break;
      case 'source':
        sources.set(message.source.sensorId, message.source);
        break;
      case 'sourceGone':
        sources.delete(message.sensorId);
        ring.delete(message.sensorId);
        break;
      case 'recording':
        recordings.set(message.recording.missionId, message.recording);
        break;
      case 'ring':
        addRing(message.segment);
        break;
      case 'ringCut':
        ring.set(
          message.sensorId,
          (ring.get(message.sensorId) ?? []).filter(({ n }) => n >= message.first),
        );
        break;
      case 'segment':
        addSegment(message.segment);
        break;
      case 'ais':
      case 'known':
      case 'mark':
      case 'error':
      case 'answer':
      case 'probed':
        break;
    }
  }

  /**
   * Adds a segment to the ring, or replaces it: the recorder sends a segment again as it grows. Numbers only increase.
   */
  function addRing(segment: RingSegment): void {
    const existing = ring.get(segment.sensorId) ?? [];
    const at = existing.findLastIndex(({ n }) => n === segment.n);
    if (at < 0) existing.push(segment);
    else existing[at] = segment;
    ring.set(segment.sensorId, existing);
  }

  /**
   * Adds a segment. All segments of a file share one id string in memory, since each message contains a separate copy,
   * and a long recording has many segments.
   */
  function addSegment(segment: RecordedSegment): void {
    const existing = segments.get(segment.fileId) ?? [];
    const { missionId, sensorId, fileId } = existing[0] ?? segment;
    existing[segment.n] = { ...segment, missionId, sensorId, fileId };
    segments.set(fileId, existing);
  }

  const running = (): Recording[] => [...recordings.values()].filter(({ state }) => state === 'recording');

  return {
    connected: client.connected,
    request: client.request,
    probe: client.probe,
    order: client.order,
    watch: client.watch,
    unwatch: client.unwatch,
    close: client.close,

    subscribe(listener: MirrorListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    source: (sensorId: string): SourceState | null => sources.get(sensorId) ?? null,
    sources: (): Iterable<SourceState> => sources.values(),
    sourcesOf: (platformId: string): SourceState[] =>
      [...sources.values()].filter((source) => source.platformId === platformId),

    /** Returns all recordings, including stopped ones whose rows are not complete yet. */
    recordings: (): Recording[] => [...recordings.values()],
    running,
    /** Returns the running recording of a platform, which has at most one. */
    runningOf: (platformId: string): Recording | null =>
      running().find(({ platform }) => platform.platformId === platformId) ?? null,

    /**
     * Returns the recording and the mission's sensor that a live sensor is being recorded into; null if there is none.
     */
    recordedAs(liveSensorId: string): { recording: Recording; sensor: RecordedSensor } | null {
      for (const recording of running()) {
        const sensor = recording.sensors.find((one) => one.liveSensorId === liveSensorId && one.state === 'recording');
        if (sensor) return { recording, sensor };
      }
      return null;
    },

    /** Segments of a sensor's ring, oldest first; the last one may still grow. */
    ring: (sensorId: string): readonly RingSegment[] => ring.get(sensorId) ?? [],
    /** Complete segments of a file that is being recorded, by number. */
    segments: (fileId: string): readonly RecordedSegment[] => segments.get(fileId) ?? [],

    /** Notifies the recorder that the rows of a mission are complete, so that its journal can be removed. */
    settle(missionId: string): void {
      client.settled(missionId);
      const recording = recordings.get(missionId);
      recordings.delete(missionId);
      for (const { files } of recording?.sensors ?? []) for (const { fileId } of files) segments.delete(fileId);
    },
  };
}
