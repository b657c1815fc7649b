import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { secretBox } from '../base/access/secret-box.ts';
import { secretFile } from '../base/access/secret-file.ts';
import type { Config } from '../base/config/config.ts';
import { tlsFiles } from '../base/config/tls.ts';
import { findSandbox, type Sandbox } from '../base/ffmpeg/sandbox.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { lockRecorder } from '../base/storage/recorder-lock.ts';
import { aisFiles } from '../recorder/ais/ais-files.ts';
import { aisSourceOpener } from '../recorder/ais/open-ais.ts';
import type { LiveStreams, RecorderDeps } from '../recorder/components.ts';
import { setAside } from '../recorder/crashes/set-aside.ts';
import { endWhenIdle } from '../recorder/end-when-idle.ts';
import { fullAddress } from '../recorder/full-address.ts';
import { orderStore } from '../recorder/order-store.ts';
import { createRecordings } from '../recorder/recordings/recordings.ts';
import { ring } from '../recorder/ring/ring.ts';
import type { Connection } from '../recorder/serve/connection.ts';
import { liveServer } from '../recorder/serve/server.ts';
import { watchers } from '../recorder/serve/watchers.ts';
import { sourceOpener } from '../recorder/sources/open-source.ts';
import { probes } from '../recorder/stream/probes.ts';
import { streamKeeper } from '../recorder/stream/streams.ts';
import {
  type FromRecorder,
  type Orders,
  PROTOCOL,
  type SourceOrder,
  type ToRecorder,
} from '../recorder-wire/protocol.ts';
import { recorderSocket } from '../recorder-wire/socket-path.ts';
import { sourceCheck } from '../recorder-wire/source-address.ts';

export type RecorderOptions = {
  config: Readonly<Config>;
  log: Logger;
  /** True if the previous recorder process crashed. */
  wasCrash?: boolean;
  /** Called when a permitted request ends the process, or when it has nothing left to do. */
  onEnd(): void;
};

export type Recorder = { start(): Promise<void>; close(): Promise<void> };

/** Starts the process that receives and records streams. It has no database; its orders and journals are files. */
export async function composeRecorder(options: RecorderOptions): Promise<Recorder> {
  const { config, log, wasCrash = false, onEnd } = options;
  const nowUs = () => Date.now() * 1000;
  const nowMs = () => performance.now();
  const folder = join(config.dataDir, 'live');
  const box = secretBox(await secretFile(join(config.dataDir, 'keys', 'platforms.key')));
  const store = orderStore({ folder, log });
  const send = (message: FromRecorder) => server.send(message);
  const storage = folderStorage({ root: join(config.dataDir, 'files') });
  let sandbox: Promise<Sandbox> | null = null;
  let orders: Orders | null = null;

  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = setAside({ folder, wasCrash, log, nowUs });
  process.on('uncaughtExceptionMonitor', aside.crashed);
  const check = sourceCheck({ allowed: config.sourceAllow });
  const reading = {
    open: sourceOpener({
      check,
      sandbox: () => (sandbox ??= findSandbox(config.sandbox)),
      storage,
      tls: () => tlsFiles(config),
    }),
    openAis: aisSourceOpener({ check, serialPorts: config.serialPorts }),
    address: (order: SourceOrder) => fullAddress(order, box),
    ...{ log, nowUs, nowMs },
  };
  const streams = streamKeeper({
    ...reading,
    aside,
    onKlv: (sensorId, klv) => server.klv(sensorId, klv),
    onMark({ sensorId, platform }, rank) {
      const missionId = recording.missionOf(sensorId);
      send({ kind: 'mark', sensorId, platformId: platform().platformId, missionId, rank });
    },
    send,
  });
  const probing = probes({ ...reading, reading: aside.reading });
  const deps: RecorderDeps = {
    config,
    streams,
    storage,
    folder,
    send,
    log,
    nowUs,
    nowMs,
  };
  const pictures = { ...streams, each: withoutAis(streams.each) };
  const history = ring({ ...deps, streams: pictures });
  const recording = createRecordings(deps, history);
  const ais = aisFiles({
    ...deps,
    storage: folderStorage({ root: folder }),
    missionOf: recording.missionOf,
    isOn: config.ais,
  });
  const watching = watchers(pictures);
  const server = liveServer({
    path: recorderSocket(config.dataDir),
    hello: () => ({
      kind: 'hello',
      protocol: PROTOCOL,
      pid: process.pid,
      hasOrders: orders !== null,
      sources: streams.described(),
      recordings: [...recording.list()],
      ais: ais.files(),
      ring: [...history.segments()],
      segments: [...recording.segments()],
    }),
    onMessage: (message, from) => {
      handle(message, from).catch((error) => log.error({ error, kind: message.kind }, 'a message failed'));
    },
    onGone(connection) {
      watching.gone(connection);
      probing.gone(connection);
    },
    log,
    nowMs,
  });

  async function handle(message: ToRecorder, from: Connection): Promise<void> {
    switch (message.kind) {
      case 'orders':
        return obey(message.orders);
      case 'record':
        return answer(from, message.request, recording.record(message.recording, { preRoll: message.preRoll }));
      case 'stop':
        return answer(from, message.request, recording.stop(message.missionId, message.sensors));
      case 'retry': {
        // The stream may be absent here, since the sender's list may be older than the current one.
        streams.retry(message.sensorId);
        return answer(from, message.request, Promise.resolve());
      }
      case 'describe':
        return answer(from, message.request, recording.describe(message.missionId, message.description));
      case 'settled':
        return recording.settled(message.missionId);
      case 'watch':
        return watching.watch(message.sensorId, from);
      case 'unwatch':
        return watching.unwatch(message.sensorId, from);
      case 'probe':
        return probing.begin(message, from);
      case 'probeEnd':
        return probing.end(message.request, from);
      case 'end':
        return onEnd();
    }
  }

  async function obey(requested: Orders): Promise<void> {
    orders = requested;
    streams.ordered(requested);
    recording.ordered(requested);
    await store.save(requested);
  }

  async function answer(to: Connection, request: number, work: Promise<void>): Promise<void> {
    const error = await work.then(
      () => null,
      (failure) => {
        log.warn({ error: failure }, 'a request failed');
        return failure instanceof Error ? failure.message : String(failure);
      },
    );
    to.send({ kind: 'answer', request, error });
  }

  let stopLooking = () => {};
  let unlock = () => {};
  return {
    async start() {
      unlock = await lockRecorder({ dataDir: config.dataDir, log });
      await history.load();
      await recording.load();
      orders = await store.load();
      if (orders !== null) {
        streams.ordered(orders);
        recording.ordered(orders);
      }
      streams.start();
      ais.start();
      await server.listen();
      const isBusy = () => server.connections() > 0 || streams.isAnyOn();
      stopLooking = endWhenIdle({ isBusy, onEnd, nowMs });
    },
    async close() {
      stopLooking();
      process.off('uncaughtExceptionMonitor', aside.crashed);
      await Promise.all([streams.close(), probing.close()]);
      aside.close();
      await ais.close();
      await recording.close();
      await history.close();
      await server.close();
      unlock();
    },
  };
}

/** Excludes AIS streams, which have no pictures and therefore concern neither the ring nor viewers of pictures. */
const withoutAis =
  (each: LiveStreams['each']): LiveStreams['each'] =>
  (add) =>
    each((stream) => (stream.order().type === 'ais' ? () => undefined : add(stream)));
