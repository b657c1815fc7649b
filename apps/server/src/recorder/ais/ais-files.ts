import { isOutOfRoom } from '../../base/storage/space-rule.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { aisFileKey, aisFolderOf, readAisFileKey } from '../../recorder-wire/ais-files.ts';
import type { AisFile } from '../../recorder-wire/protocol.ts';
import type { LiveStream, RecorderDeps } from '../components.ts';
import { createDiskRetry, faultCode } from '../recordings/disk-retry.ts';
import { createFileWriter, type FileWriter } from '../recordings/file-writer.ts';

const TICK_MS = 100;
/** Time or size after which a file is closed, so that files already imported into the database can be removed. */
const FILE_MS = 10 * 60_000;
const FILE_BYTES = 16 * 1024 * 1024;
/** Maximum size of the files of one sensor not yet imported into the database, enough for days in a busy port. */
const SENSOR_BYTES = 4 * 1024 * 1024 * 1024;
/** Minimum interval between two messages to operators about a failing disk, in milliseconds. */
const SAID_MS = 60_000;

type Open = {
  key: string;
  missionId: string | null;
  writer: FileWriter;
  begunMs: number;
  sizeBytes: number;
  /** File size as sent in the last message to the api. */
  reportedBytes: number;
};

export type AisFilesPart = {
  start(): void;
  /** Lists the files that are still growing, and those whose end is not on the disk yet. */
  files(): AisFile[];
  close(): Promise<void>;
};

type Deps = Pick<RecorderDeps, 'streams' | 'send' | 'log' | 'nowUs' | 'nowMs'> & {
  /** Storage in `OSPREY_DATA/live`. */
  storage: Storage;
  missionOf(sensorId: string): string | null;
  /** True if this installation records AIS at all. */
  isOn: boolean;
};

/**
 * Writes the sentences of each AIS source, or of a stream with AIS in private data, to files of its sensor. The api
 * imports the files into the database, so that nothing received while the database or the api is down is lost. A file
 * belongs to one mission or to none. The api removes files that it has imported.
 */
export function aisFiles(deps: Deps): AisFilesPart {
  const { streams, storage, send, log, nowUs, nowMs } = deps;
  const sensors = new Map<string, SensorFiles>();
  /** Files whose end has not been announced yet. */
  const growing = new Set<Open>();
  let timer: NodeJS.Timeout | null = null;

  streams.each((stream) => {
    if (!deps.isOn) return () => undefined;
    const own = sensorFiles(stream);
    sensors.set(stream.sensorId, own);
    return () => {
      sensors.delete(stream.sensorId);
      void own.end();
    };
  });

  type SensorFiles = { tick(): void; end(): Promise<void> };

  function sensorFiles(stream: LiveStream): SensorFiles {
    const { sensorId } = stream;
    const backlog = { bytes: 0 };
    const ending = new Set<Promise<void>>();
    let open: Open | null = null;
    const retry = createDiskRetry(nowMs);
    let quietUntilMs = Number.NEGATIVE_INFINITY;
    let lastStartUs = 0;

    function begin(missionId: string | null): Open {
      // File names must sort by start time, even if the system clock was set back.
      lastStartUs = Math.max(nowUs(), lastStartUs + 1);
      const key = aisFileKey({ sensorId, platformId: stream.platform().platformId, missionId, startedUs: lastStartUs });
      // Announce the file before it is on the disk, since the api treats a file that was never announced as one that
      // has ended.
      send({ kind: 'ais', file: { key, sizeBytes: 0, ended: false } });
      const file: Open = {
        key,
        missionId,
        begunMs: nowMs(),
        sizeBytes: 0,
        reportedBytes: 0,
        writer: createFileWriter({
          backlog,
          open: () => storage.append(key),
          head: null,
          headFailed: () => undefined,
          written: (bytes) => {
            file.sizeBytes += bytes.length;
          },
          failed: (error) => failed(file, error),
          nowMs,
        }),
      };
      growing.add(file);
      void tidy();
      return file;
    }

    /** Ends the file here after a failed write or sync; later sentences go to a new file. */
    function failed(file: Open, error: unknown): void {
      log.error({ error, sensorId }, 'AIS could not be written');
      if (open === file) cut();
      retry.failed();
      if (nowMs() < quietUntilMs) return;
      quietUntilMs = nowMs() + SAID_MS;
      const of = `AIS of sensor ${stream.order().name}`;
      const info = isOutOfRoom(error)
        ? `disk full: ${of} is not kept until there is room`
        : `${of} could not be written (${faultCode(error)}): the last sentences may be missing`;
      send({ kind: 'error', info, platformId: stream.platform().platformId, missionId: file.missionId });
    }

    function cut(): void {
      if (open === null) return;
      const file = open;
      open = null;
      const work = finish(file).finally(() => ending.delete(work));
      ending.add(work);
    }

    async function finish(file: Open): Promise<void> {
      if (await file.writer.end()) retry.succeeded();
      growing.delete(file);
      send({ kind: 'ais', file: { key: file.key, sizeBytes: file.sizeBytes, ended: true } });
    }

    /** Removes the oldest files, even those not yet in the database, when the limit is exceeded. */
    async function tidy(): Promise<void> {
      try {
        const found: { key: string; sizeBytes: number }[] = [];
        for await (const one of storage.list(aisFolderOf(sensorId))) found.push(one);
        found.sort((a, b) => (a.key < b.key ? -1 : 1));
        let total = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        for (const { key, sizeBytes } of found) {
          if (total <= SENSOR_BYTES) break;
          if (key === open?.key || readAisFileKey(key) === null) continue;
          await storage.remove(key);
          total -= sizeBytes;
          log.warn({ key }, 'AIS that nobody took into the database was removed');
        }
      } catch (error) {
        log.error({ error, sensorId }, 'old files of AIS could not be looked at');
      }
    }

    function put(line: Uint8Array): void {
      const missionId = deps.missionOf(sensorId);
      if (open !== null && open.missionId !== missionId) cut();
      if (open === null && retry.isWaiting()) return;
      open ??= begin(missionId);
      open.writer.put(line);
    }

    const isReceiver = stream.order().type === 'ais';
    const stop = stream.listen({
      unit: () => undefined,
      packets: isReceiver ? put : () => undefined,
      ais: put,
    });

    return {
      tick() {
        if (open === null) return;
        open.writer.tick();
        if (open.sizeBytes > open.reportedBytes) {
          open.reportedBytes = open.sizeBytes;
          send({ kind: 'ais', file: { key: open.key, sizeBytes: open.sizeBytes, ended: false } });
        }
        if (nowMs() - open.begunMs > FILE_MS || open.sizeBytes > FILE_BYTES) cut();
      },
      async end() {
        stop();
        cut();
        await Promise.all(ending);
      },
    };
  }

  return {
    start() {
      timer ??= setInterval(() => {
        for (const own of sensors.values()) own.tick();
      }, TICK_MS);
    },
    files: () => [...growing].map(({ key, sizeBytes }) => ({ key, sizeBytes, ended: false })),
    async close() {
      if (timer) clearInterval(timer);
      await Promise.all([...sensors.values()].map((own) => own.end()));
    },
  };
}
