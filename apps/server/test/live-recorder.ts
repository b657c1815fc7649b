import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../src/base/config/config.ts';
import { folderStorage } from '../src/base/storage/folder.ts';
import { originalKey } from '../src/base/storage/originals.ts';
import type { Storage } from '../src/base/storage/storage.ts';
import type { OpenSource, RecorderDeps, SourceSink } from '../src/recorder/components.ts';
import { setAside } from '../src/recorder/crashes/set-aside.ts';
import { createRecordings } from '../src/recorder/recordings/recordings.ts';
import { ring } from '../src/recorder/ring/ring.ts';
import { streamKeeper } from '../src/recorder/stream/streams.ts';
import type { FromRecorder, PlatformOrder, RecordedFile } from '../src/recorder-wire/protocol.ts';
import { atEnd } from './cleanup.ts';
import { platformOrder, recordingOf } from './orders.ts';

export type TestRecorderOptions = {
  /** Where a recorder before it left its files. */
  root?: string;
  /** Wraps the storage. */
  storage?: (real: Storage) => Storage;
  sensors?: number;
  platforms?: number;
  order?: Partial<PlatformOrder>;
};

export type TestRecorder = Awaited<ReturnType<typeof testRecorder>>;

/** Ring and recordings as the recorder composes them, with sources that a test feeds and clocks that it sets. */
export async function testRecorder(options: TestRecorderOptions = {}) {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'osprey-recorder-')));
  if (options.root === undefined) atEnd(() => rm(root, { recursive: true, force: true }));
  const log = pino({ level: 'silent' });
  const clock = { aheadUs: 0, ms: performance.now() };
  const nowUs = () => Math.round(Date.now() * 1000 + clock.aheadUs);
  const begun = performance.now();
  /** Milliseconds of the recorder's clock: real time, plus what a test adds to `clock.ms`. */
  const nowMs = () => clock.ms + performance.now() - begun;
  const sinks = new Map<string, SourceSink>();
  const messages: FromRecorder[] = [];
  const send = (message: FromRecorder) => messages.push(structuredClone(message));
  const open: OpenSource = ({ url }, sink) => {
    sinks.set(url, sink);
    return {
      counts: () => ({ lost: 0, reordered: 0, refused: 0, jitterMs: null }),
      ended: new Promise<void>(() => {}),
      close: async () => {},
    };
  };
  await mkdir(join(root, 'live'), { recursive: true });
  const aside = setAside({ folder: join(root, 'live'), wasCrash: false, log, nowUs });
  const streams = streamKeeper({
    aside,
    open,
    openAis: open,
    address: ({ url }) => url,
    onKlv: () => {},
    onMark: () => {},
    send,
    log,
    nowUs,
    nowMs,
  });
  const real = folderStorage({ root: join(root, 'files') });
  const storage = options.storage?.(real) ?? real;
  const config = readConfig({ OSPREY_DATA: root });
  const deps: RecorderDeps = { config, streams, storage, folder: join(root, 'live'), send, log, nowUs, nowMs };
  let ringed = 0;
  function listened<T>(answer: T): T {
    ringed += 1;
    return answer;
  }
  const ringPart = ring({
    ...deps,
    streams: {
      find: streams.find,
      each: (add) => streams.each((stream) => add({ ...stream, listen: (one) => listened(stream.listen(one)) })),
    },
  });
  const recordings = createRecordings(deps, ringPart);
  const platforms = Array.from({ length: options.platforms ?? 1 }, (_, n) =>
    platformOrder({
      n,
      sensors: options.sensors ?? 1,
      ...(options.order && { order: options.order }),
      url: (sensor) => urlOf(n, sensor),
    }),
  );

  await ringPart.load();
  await recordings.load();
  streams.ordered({ platforms });
  recordings.ordered({ platforms });
  // Orders return before sources are opened and the ring has read its folder.
  const count = platforms.flatMap(({ sensors }) => sensors).length;
  while (Math.min(sinks.size, ringed) < count) await new Promise(setImmediate);

  let isClosed = false;
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await streams.close();
    await recordings.close();
    await ringPart.close();
  }
  atEnd(close);

  return {
    root,
    storage: real,
    recordings,
    streams,
    messages,
    ring: ringPart,
    platforms,
    clock,
    nowUs,
    close,
    /** Ends the recorder as a kill does: its clocks stop, and it does not wait for a disk that does not answer. */
    abandon() {
      isClosed = true;
      void streams.close();
      void recordings.close();
      void ringPart.close();
    },
    /** Receives datagrams of whole packets, seven each. */
    receive(bytes: Uint8Array, { platform = 0, sensor = 0 } = {}) {
      const sink = sinks.get(urlOf(platform, sensor))!;
      for (let at = 0; at < bytes.length; at += 7 * 188) sink.packets(bytes.slice(at, at + 7 * 188), nowUs());
    },
    /** Advances the monotonic clock and that of the wall, without a packet. */
    passSeconds(seconds: number) {
      clock.ms += seconds * 1000;
      clock.aheadUs += seconds * 1e6;
      streams.tick();
    },
    recordingOf: (platform: PlatformOrder) => recordingOf(platform, nowUs()),
    /** The recording as it is now. */
    now: (missionId: string) => recordings.list().find((one) => one.missionId === missionId)!,
    filesOf: (missionId: string): RecordedFile[] =>
      recordings
        .list()
        .find((one) => one.missionId === missionId)!
        .sensors.flatMap(({ files }) => files),
    errors: () => messages.flatMap((message) => (message.kind === 'error' ? message.info : [])),
    async bytesOf(sensorId: string, fileId: string): Promise<Buffer> {
      return Buffer.concat(await real.read(originalKey(sensorId, fileId)).toArray());
    },
  };
}

const urlOf = (platform: number, sensor: number): string => `udp://127.0.0.1:${5000 + platform * 100 + sensor}`;
