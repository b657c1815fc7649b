import { pino } from 'pino';
import type { Connection } from '../src/recorder/serve/connection.ts';
import { liveServer } from '../src/recorder/serve/server.ts';
import { mediaHead } from '../src/recorder-wire/media-messages.ts';
import {
  type FromRecorder,
  type Orders,
  PROTOCOL,
  type RecordedFile,
  type RecordedSegment,
  type Recording,
  type RingSegment,
  type SourceState,
  type ToRecorder,
} from '../src/recorder-wire/protocol.ts';
import { recorderSocket } from '../src/recorder-wire/socket-path.ts';
import { atEnd } from './cleanup.ts';

export type TestRecorder = Awaited<ReturnType<typeof testRecorder>>;

/**
 * A recorder that records nothing: it speaks the real protocol over the real socket, keeps journals in memory, and does
 * what it is asked.
 */
export async function testRecorder(dataDir: string) {
  const sources = new Map<string, SourceState>();
  const recordings = new Map<string, Recording>();
  const ring: RingSegment[] = [];
  const segments: RecordedSegment[] = [];
  const received: ToRecorder[] = [];
  const settled: string[] = [];
  let orders: Orders | null = null;
  let refusal: string | null = null;
  let open = new Set<Connection>();
  const watchers = new Map<string, Set<Connection>>();

  const start = () =>
    liveServer({
      path: recorderSocket(dataDir),
      hello: () => ({
        kind: 'hello',
        protocol: PROTOCOL,
        pid: process.pid,
        hasOrders: orders !== null,
        sources: [...sources.values()],
        recordings: [...recordings.values()],
        ais: [],
        ring,
        segments,
      }),
      onMessage(message, from) {
        open.add(from);
        received.push(message);
        take(message, from);
      },
      onGone(connection) {
        open.delete(connection);
        for (const own of watchers.values()) own.delete(connection);
      },
      log: pino({ level: 'silent' }),
      nowMs: () => performance.now(),
    });
  let server = start();

  function take(message: ToRecorder, from: Connection): void {
    if (message.kind === 'orders') orders = message.orders;
    if (message.kind === 'watch') watchersOf(message.sensorId).add(from);
    if (message.kind === 'unwatch') watchersOf(message.sensorId).delete(from);
    if (message.kind === 'settled') {
      settled.push(message.missionId);
      recordings.delete(message.missionId);
    }
    if (message.kind === 'retry') {
      from.send({ kind: 'answer', request: message.request, error: null });
      retry(message.sensorId);
    }
    if (message.kind !== 'record' && message.kind !== 'stop' && message.kind !== 'describe') return;
    const error = refusal ?? answerTo(message);
    from.send({ kind: 'answer', request: message.request, error });
  }

  function retry(sensorId: string): void {
    const { aside: _before, ...known } = sources.get(sensorId)!;
    const source: SourceState = { ...known, on: true, error: null };
    sources.set(sensorId, source);
    server.send({ kind: 'source', source });
  }

  function answerTo(message: Extract<ToRecorder, { kind: 'record' | 'stop' | 'describe' }>): string | null {
    if (message.kind === 'record') return record(message.recording);
    if (message.kind === 'stop') return stop(message);
    const known = recordings.get(message.missionId);
    if (known) put({ ...known, ...message.description });
    return null;
  }

  function watchersOf(sensorId: string): Set<Connection> {
    const known = watchers.get(sensorId) ?? new Set();
    watchers.set(sensorId, known);
    return known;
  }

  function record(requested: Recording): string | null {
    const known = recordings.get(requested.missionId);
    const sensors = [
      ...(known?.sensors.filter((old) => !requested.sensors.some((one) => one.sensorId === old.sensorId)) ?? []),
      ...requested.sensors,
    ];
    put({ ...(known ?? requested), sensors });
    return null;
  }

  function stop({ missionId, sensors }: { missionId: string; sensors: string[] | null }): string | null {
    const known = recordings.get(missionId);
    if (known === undefined) return 'No such recording.';
    end(known, sensors, null);
    return null;
  }

  function end(known: Recording, only: string[] | null, reason: string | null): void {
    const nowUs = Date.now() * 1000;
    const stopped = known.sensors.map((sensor) => {
      if (only !== null && !only.includes(sensor.liveSensorId)) return sensor;
      return {
        ...sensor,
        state: 'stopped' as const,
        files: sensor.files.map((file) => ({ ...file, endedUs: file.endedUs ?? nowUs })),
      };
    });
    const isOver = stopped.every(({ state }) => state === 'stopped');
    const ended = isOver ? { state: 'stopped' as const, endedUs: nowUs, stopReason: reason } : {};
    put({ ...known, ...ended, sensors: stopped });
  }

  function put(recording: Recording): void {
    recordings.set(recording.missionId, recording);
    server.send({ kind: 'recording', recording });
  }

  await server.listen();
  atEnd(() => server.close());

  return {
    received,
    settled,
    orders: () => orders,
    recordings,
    /** The only recording there is. */
    recording(): Recording {
      const [only] = recordings.values();
      if (only === undefined) throw new Error('Nothing is recorded');
      return only;
    },
    put,
    /** Requests are answered so; null: they are done. */
    refuse(text: string | null): void {
      refusal = text;
    },
    say: (message: FromRecorder) => server.send(message),
    klv: (sensorId: string, bytes: Uint8Array, ptsTicks = 0) =>
      server.klv(sensorId, { bytes, ptsTicks, pid: 257, arrivalUs: Date.now() * 1000 }),
    /** Connections that want the pictures of a sensor. */
    watchers: (sensorId: string): number => watchersOf(sensorId).size,
    /** Whole transport packets, to those who watch. */
    media(sensorId: string, packets: Uint8Array, { lost = false, arrivalUs = Date.now() * 1000 } = {}): void {
      const head = mediaHead(sensorId, { arrivalUs, lost, size: packets.length });
      for (const watcher of watchersOf(sensorId)) watcher.sendMedia([{ head, packets: Buffer.from(packets) }]);
    },

    source(platformId: string, sensorId: string, fields: Partial<SourceState> = {}): void {
      const nowUs = Date.now() * 1000;
      const before = sources.get(sensorId);
      const source: SourceState = {
        sensorId,
        platformId,
        on: true,
        state: 'online',
        since: nowUs,
        startedUs: nowUs,
        ...{ bytes: 0, bitsPerSecond: 2_000_000, packets: 0, lost: 0, reordered: 0, refused: 0, jitterMs: null },
        video: { codec: 'h264', width: 1280, height: 720, frameRate: 25, hasBFrames: false, browserPlayable: true },
        klv: true,
        error: null,
        ...before,
        ...fields,
      };
      sources.set(sensorId, source);
      server.send({ kind: 'source', source });
    },

    /** A file of the recording of a sensor, as the journal would say it. */
    file(missionId: string, liveSensorId: string, fields: Partial<RecordedFile> = {}): RecordedFile {
      const known = recordings.get(missionId);
      if (known === undefined) throw new Error('No such recording');
      const file: RecordedFile = {
        fileId: crypto.randomUUID(),
        startedUs: Date.now() * 1000,
        endedUs: null,
        sizeBytes: 0,
        durationSeconds: 0,
        segments: 0,
        indexed: false,
        suspect: false,
        cause: 'start',
        ...fields,
      };
      const sensors = known.sensors.map((sensor) =>
        sensor.liveSensorId === liveSensorId ? { ...sensor, files: [...sensor.files, file] } : sensor,
      );
      put({ ...known, sensors });
      return file;
    },
    /** Ends a recording as the recorder does without a command, for this reason. */
    end(missionId: string, reason: string): void {
      const known = recordings.get(missionId);
      if (known) end(known, null, reason);
    },

    /** As if its process had been killed; what it knows stays. */
    async die(): Promise<void> {
      for (const connection of open) connection.close();
      open = new Set();
      await server.close();
    },
    async comeBack(): Promise<void> {
      server = start();
      await server.listen();
    },
  };
}
