import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SpaceLevel, spaceLevel } from '../../base/storage/space-rule.ts';
import type { LiveStream, RecorderDeps, RingPart } from '../components.ts';
import { ringFiles } from './ring-files.ts';
import { createSensorRing, type SensorRing } from './sensor-ring.ts';

/** Minimum retention in seconds, needed by HLS viewers and for the pre-roll of recordings. */
const RING_MIN_SECONDS = 40;
const CHECK_MS = 5000;

const spaceTexts: Partial<Record<SpaceLevel, string>> = {
  noExports: 'disk nearly full, live video can be rewound by some seconds only',
  noRecording: 'disk full, live video cannot be watched by HLS',
};

type Deps = Pick<RecorderDeps, 'streams' | 'storage' | 'folder' | 'send' | 'log' | 'nowUs' | 'nowMs'> & {
  config: Pick<RecorderDeps['config'], 'dvrMinutes'>;
};

/**
 * Manages the rings of all streams, in the folder `live/ring`. As the disk fills, the rings are shortened in favour of
 * recordings.
 */
export function ring(deps: Deps): RingPart {
  const { streams, storage, send, log } = deps;
  const folder = join(deps.folder, 'ring');
  const requestedSeconds = Math.max(deps.config.dvrMinutes * 60, RING_MIN_SECONDS);
  let level: SpaceLevel = 'fine';
  let failing = false;
  let looking = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  const listening = new Set<() => void>();
  /** Functions that retry opening the ring of a stream after it could not be opened. */
  const unopened = new Set<() => void>();

  function keepSeconds(): number {
    if (level === 'noRecording') return 0;
    return level === 'noExports' ? RING_MIN_SECONDS : requestedSeconds;
  }

  async function checkSpace(): Promise<void> {
    const before = level;
    level = spaceLevel(await storage.space());
    const text = level === before ? undefined : spaceTexts[level];
    if (text !== undefined) sendError(text);
    for (const each of rings.values()) each.trim();
    failing = false;
    const again = [...unopened];
    unopened.clear();
    for (const tryOpen of again) tryOpen();
  }

  const sendError = (info: string) => send({ kind: 'error', info, platformId: null, missionId: null });

  function failed(error: unknown) {
    log.error({ error }, 'the ring was not written');
    // A full disk causes a failure for every sensor and part, so only the first failure is reported to operators.
    if (!failing) sendError('live video cannot be kept for rewinding, see the log');
    failing = true;
  }

  const rings = new Map<string, SensorRing>();
  const opening = new Map<string, Promise<SensorRing>>();

  function open(sensorId: string): Promise<SensorRing> {
    const existing = opening.get(sensorId);
    if (existing) return existing;
    const made = createSensorRing({
      ...deps,
      sensorId,
      files: ringFiles({ folder, sensorId }),
      keepSeconds,
      announced: (segment) => send({ kind: 'ring', segment }),
      cut: (first) => send({ kind: 'ringCut', sensorId, first }),
      failed,
    }).then(
      (fresh) => {
        rings.set(sensorId, fresh);
        return fresh;
      },
      (error) => {
        opening.delete(sensorId);
        throw error;
      },
    );
    opening.set(sensorId, made);
    return made;
  }

  /** Buffers a stream. If its ring is not open yet, buffering starts once its folder has been read. */
  function listen(stream: LiveStream): () => void {
    let isGone = false;
    let stop = () => {
      isGone = true;
    };
    const begin = (own: SensorRing) => {
      if (isGone) return;
      const unlisten = stream.listen(own.listener);
      stop = () => {
        listening.delete(stop);
        unlisten();
        own.end();
      };
      listening.add(stop);
    };
    const existing = rings.get(stream.sensorId);
    if (existing) begin(existing);
    else tryOpen();
    return () => stop();

    /** Opens the ring. If this fails, it is retried later, since the cause may be temporary. */
    function tryOpen(): void {
      if (isGone) return;
      open(stream.sensorId).then(begin, (error) => {
        failed(error);
        unopened.add(tryOpen);
      });
    }
  }

  return {
    async load() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const sensorId of await readdir(folder)) await open(sensorId).catch(failed);
      await checkSpace();
      timer = setInterval(() => {
        looking = checkSpace().catch((error) => log.warn({ error }, 'free space not read'));
      }, CHECK_MS);
      timer.unref();
      streams.each(listen);
    },
    segments: () => [...rings.values()].flatMap((each) => each.segments()),
    history: (sensorId, seconds) => rings.get(sensorId)?.history(seconds) ?? null,
    forget: (sensorId) => rings.get(sensorId)?.forget(),
    async close() {
      if (timer) clearInterval(timer);
      await looking;
      for (const stop of [...listening]) stop();
      await Promise.all([...rings.values()].map((each) => each.close()));
    },
  };
}
