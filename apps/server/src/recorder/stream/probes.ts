import { decodePacket, readUniversalKey } from '@osprey/klv';
import {
  nothingProbed,
  type PlatformOrder,
  PROBE_MS,
  type Probed,
  type SourceOrder,
} from '../../recorder-wire/protocol.ts';
import type { Connection } from '../serve/connection.ts';
import type { StreamDeps } from './managed-stream.ts';
import { transportStream } from './transport-stream.ts';

const TICK_MS = 100;
/** Maximum number of addresses probed at the same time. */
const PROBES_MAX = 4;
/** Time after which a fault that has not passed ends a probe. */
const FAULT_MS = 2000;
/** Time after which a program without video ends a probe. */
const NO_VIDEO_MS = 3000;
/** Time after the first pictures in which the telemetry may still bring its name and security mark. */
const TELEMETRY_MS = 3000;
/** Number of pictures after the key frame that are waited for, so that the key frame is complete. */
const PICTURES = 2;
const PICTURES_MAX_BYTES = 4 * 1024 * 1024;

const TOO_MANY = 'Other addresses are being tested now: please try again in a moment';
const NOT_READ = 'The stream cannot be read: the log of the recorder says why';
const NOTHING = `No packet arrived within ${PROBE_MS / 1000} s`;
const NO_VIDEO = 'The stream has no video';
const NO_KEY_FRAME = `Video arrives, but no key frame within ${PROBE_MS / 1000} s`;
const TOO_LARGE = 'The first pictures are larger than 4 MiB';

type ProbesDeps = Omit<StreamDeps, 'onChange' | 'onReleased' | 'onFailed' | 'onKlv' | 'onMark'>;

type Probe = { tick(): void; close(): Promise<void> };

/** Opens addresses that are not in the orders, each until its first pictures arrive. Nothing of them is kept. */
export type Probes = {
  begin(message: { request: number; order: SourceOrder }, from: Connection): void;
  end(request: number, from: Connection): void;
  /** Ends the probes of a process that has disconnected. */
  gone(connection: Connection): void;
  close(): Promise<void>;
};

export function probes(deps: ProbesDeps): Probes {
  const running = new Map<Probe, { request: number; from: Connection }>();
  const closings = new Set<Promise<void>>();
  const timer = setInterval(() => {
    for (const probe of running.keys()) probe.tick();
  }, TICK_MS);
  timer.unref();

  function stop(probe: Probe): void {
    running.delete(probe);
    const closing = probe.close().finally(() => closings.delete(closing));
    closings.add(closing);
  }

  function stopEach(isMeant: (asked: { request: number; from: Connection }) => boolean): void {
    for (const [probe, asked] of running) if (isMeant(asked)) stop(probe);
  }

  return {
    begin({ request, order }, from) {
      const answer = (result: Probed) => from.send({ kind: 'probed', request, result });
      // Sources that are still closing count, since they hold their ports and programs.
      if (running.size + closings.size >= PROBES_MAX) return answer(nothingProbed(TOO_MANY));
      const probe = startProbe(order, deps, (result) => {
        stop(probe);
        answer(result);
      });
      running.set(probe, { request, from });
    },
    end: (request, from) => stopEach((asked) => asked.request === request && asked.from === from),
    gone: (connection) => stopEach(({ from }) => from === connection),
    async close() {
      clearInterval(timer);
      stopEach(() => true);
      await Promise.all(closings);
    },
  };
}

/** @param onResult called once, during a tick */
function startProbe(order: SourceOrder, deps: ProbesDeps, onResult: (result: Probed) => void): Probe {
  const { nowMs } = deps;
  const platform = noPlatform(order);
  const startMs = nowMs();
  const faulty = lasting(nowMs);
  const withoutVideo = lasting(nowMs);
  const withPictures = lasting(nowMs);
  let designation: string | null = null;
  let rank: number | null = null;
  let hasFailed = false;
  /** Facts of the stream, which stay known after it has ended. */
  let [video, klv]: [Probed['video'], boolean] = [null, false];
  const stream = transportStream(
    { order, platform },
    {
      ...deps,
      onKlv(_sensorId, { bytes }) {
        designation ??= designationOf(bytes);
      },
      onMark(_stream, found) {
        rank = found;
      },
      onFailed(error) {
        deps.log.error({ error }, 'a probed stream could not be read');
        hasFailed = true;
      },
      onChange: () => undefined,
      onReleased: () => undefined,
    },
  );
  const pictures = firstPictures();
  stream.listen(pictures.listener);
  stream.ordered(order, platform);

  function isTelemetryAwaited(): boolean {
    return klv && (designation === null || rank === null) && withPictures(true) < TELEMETRY_MS;
  }

  function faultOf({ error, packets }: { error: string | null; packets: number }): string | null {
    const isLate = nowMs() - startMs >= PROBE_MS;
    const facts = stream.facts();
    if (hasFailed) return NOT_READ;
    if (pictures.isTooLarge()) return TOO_LARGE;
    if (faulty(error !== null) >= FAULT_MS) return error;
    if (withoutVideo(facts !== null && facts.videoPid === null) >= NO_VIDEO_MS) return NO_VIDEO;
    if (!isLate) return null;
    if (error !== null) return error;
    if (packets === 0) return NOTHING;
    return facts?.videoPid == null ? NO_VIDEO : NO_KEY_FRAME;
  }

  return {
    tick() {
      stream.tick();
      const { error, packets, ...now } = stream.described();
      video = now.video ?? video;
      klv ||= now.klv;
      const found = { video, klv, designation, rank };
      const bytes = pictures.bytes();
      if (bytes !== null) {
        if (isTelemetryAwaited()) return;
        return onResult({ ...found, error: null, packets: bytes.toString('base64') });
      }
      const fault = faultOf({ error, packets });
      if (fault !== null) onResult({ ...found, error: fault, packets: null });
    },
    close: stream.close,
  };
}

/** Collects the tables and the first pictures of a stream. */
function firstPictures() {
  let parts: Uint8Array[] | null = null;
  let size = 0;
  let after = 0;
  let isTooLarge = false;

  const isComplete = () => parts !== null && after >= PICTURES;

  function add(bytes: Uint8Array): void {
    if (parts === null || isComplete()) return;
    size += bytes.length;
    isTooLarge = size > PICTURES_MAX_BYTES;
    if (isTooLarge) parts = null;
    else parts.push(bytes.slice());
  }

  return {
    listener: {
      unit({ keyframe }: { keyframe: boolean }, { tables }: { tables: Uint8Array | null }) {
        if (isTooLarge) return;
        if (parts !== null) after += 1;
        else if (keyframe && tables !== null) parts = [tables.slice()];
      },
      packets: add,
      changed() {
        // Pictures of another coding cannot be joined to those before.
        if (!isComplete()) [parts, size, after] = [null, 0, 0];
      },
    },
    isTooLarge: () => isTooLarge,
    bytes: (): Buffer | null => (isComplete() ? Buffer.concat(parts ?? []) : null),
  };
}

/** Returns a function that takes whether something is so, and returns for how many milliseconds it has been. */
function lasting(nowMs: () => number) {
  let sinceMs: number | null = null;
  return (isSo: boolean): number => {
    sinceMs = isSo ? (sinceMs ?? nowMs()) : null;
    return sinceMs === null ? 0 : nowMs() - sinceMs;
  };
}

/** Reads the Platform Designation (tag 10) from a set of ST 0601; null if it has none. */
function designationOf(bytes: Uint8Array): string | null {
  if (readUniversalKey(bytes, 0) !== 'st0601') return null;
  try {
    const { checksum, values } = decodePacket(bytes, 0, bytes.length);
    const name = checksum === 'bad' ? null : values['10'];
    return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
  } catch (error) {
    if (error instanceof Error && error.name === 'FormatError') return null;
    throw error;
  }
}

/** An order for a source that belongs to no platform. */
const noPlatform = (sensor: SourceOrder): PlatformOrder => ({
  ...{ platformId: sensor.sensorId, name: '', description: '', type: '', color: '' },
  ...{ classification: 5, marked: false, audience: 'groups', usergroups: [], priority: 9 },
  record: { onPresence: false, schedule: [], preRollSeconds: 0 },
  sensors: [sensor],
});
