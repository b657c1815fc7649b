import type { LiveSocketAsk, LiveSocketMessage } from '@osprey/contract';
import { PACKET_SIZE } from '@osprey/mpegts';
import { originalKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type PipelineOut, pipeline } from '../../recorder/stream/pipeline.ts';
import type { RecorderMirror } from '../rows/mirror.ts';
import { telemetryDecoder } from './telemetry-decoder.ts';

/** Maximum number of bytes read for one response; the client requests the rest separately. */
const BYTES_MAX = 48 * 1024 * 1024;
/** Maximum number of responses read at the same time; further requests are ignored, and the client repeats them. */
const ANSWERS_MAX = 4;

type Retained = {
  storage: Pick<Storage, 'read'>;
  key: string;
  offset: number;
  sizeBytes: number;
  startUs: number;
  durationSeconds: number;
  discontinuity: boolean;
};

export type PastTelemetryDeps = {
  mirror: Pick<RecorderMirror, 'ring' | 'segments' | 'recordedAs' | 'source'>;
  /** `live/ring` of the data folder, which the recorder writes. */
  ring: Pick<Storage, 'read'>;
  /** Storage of running recordings. */
  storage: Pick<Storage, 'read'>;
};

export type PastAnswer = Extract<LiveSocketMessage, { kind: 'past' }>;

/**
 * Reads the telemetry of rewound video from the same bytes that HLS plays: those of the running recording, otherwise
 * the ring. So telemetry exists only where video does, and only for its viewers.
 */
export function pastTelemetry(deps: PastTelemetryDeps) {
  const { mirror } = deps;
  let answering = 0;

  function retainedOf(sensorId: string): Retained[] {
    const recorded = mirror.recordedAs(sensorId)?.sensor;
    if (!recorded) {
      const complete = mirror.ring(sensorId).filter(({ done }) => done);
      return complete.map((segment) => ({
        ...segment,
        ...{ storage: deps.ring, key: `${sensorId}/${segment.n}.ts`, offset: 0 },
      }));
    }
    return recorded.files.flatMap(({ fileId }) =>
      mirror.segments(fileId).map((segment) => ({
        ...segment,
        ...{ storage: deps.storage, key: originalKey(recorded.sensorId, fileId) },
        discontinuity: segment.discontinuity || segment.n === 0,
      })),
    );
  }

  /**
   * Returns the segments to read: those of the requested time, and the one before it, for PAT and PMT and for the
   * picture before the first set.
   */
  function touched(sensorId: string, { from, to }: LiveSocketAsk): Retained[] {
    const retained = retainedOf(sensorId);
    const first = retained.findIndex((segment) => endOf(segment) > from);
    if (first < 0) return [];
    const found: Retained[] = [];
    let bytes = 0;
    for (const segment of retained.slice(Math.max(0, first - 1))) {
      bytes += segment.sizeBytes;
      if (segment.startUs >= to || bytes > BYTES_MAX) break;
      found.push(segment);
    }
    return found;
  }

  async function* read(sensorId: string, asked: LiveSocketAsk): AsyncGenerator<PastAnswer> {
    const decode = telemetryDecoder();
    let to = asked.from;
    let rows: PastAnswer['rows'] = [];
    const klvPid = mirror.source(sensorId)?.klvStreams?.wanted ?? null;
    let reader = readerOf();
    let segmentUs = asked.from;

    function readerOf() {
      const out: PipelineOut = {
        online: () => undefined,
        unit: () => undefined,
        packets: () => undefined,
        changed: () => undefined,
        klv({ bytes, ptsTicks, pid }) {
          const klv = Buffer.from(bytes);
          const set = decode({ sensorId, arrivalUs: segmentUs, ptsTicks: ptsTicks ?? Number.NaN, pid, klv });
          if (set) rows.push({ pts: set.pts, pid, time: set.time, tags: set.tags, sets: set.sets });
        },
      };
      return pipeline(out, klvPid);
    }

    for (const segment of touched(sensorId, asked)) {
      if (segment.discontinuity) reader = readerOf();
      segmentUs = segment.startUs;
      for await (const bytes of completePackets(segment)) reader.push(bytes, segmentUs);
      to = Math.max(to, endOf(segment));
      if (endOf(segment) > asked.from) yield { kind: 'past', from: asked.from, to, rows, last: false };
      rows = [];
    }
    yield { kind: 'past', from: asked.from, to, rows, last: true };
  }

  return {
    /**
     * Sends the telemetry; sends nothing if too many requests are in progress. Stops early if `isOver` returns true.
     */
    async answer(
      { sensorId, asked }: { sensorId: string; asked: LiveSocketAsk },
      send: (message: PastAnswer) => void,
      isOver: () => boolean,
    ): Promise<void> {
      if (answering >= ANSWERS_MAX) return;
      answering += 1;
      try {
        for await (const message of read(sensorId, asked)) {
          if (isOver()) break;
          send(message);
        }
      } finally {
        answering -= 1;
      }
    },
  };
}

export type PastTelemetry = ReturnType<typeof pastTelemetry>;

const endOf = ({ startUs, durationSeconds }: Retained): number => Math.round(startUs + durationSeconds * 1e6);

/** Reads the bytes of a segment in pieces that end at packet boundaries. */
async function* completePackets({ storage, key, offset, sizeBytes }: Retained): AsyncGenerator<Buffer> {
  let left: Buffer = Buffer.alloc(0);
  for await (const chunk of storage.read(key, { start: offset, end: offset + sizeBytes })) {
    const bytes = left.length > 0 ? Buffer.concat([left, chunk as Buffer]) : (chunk as Buffer);
    const complete = bytes.length - (bytes.length % PACKET_SIZE);
    yield bytes.subarray(0, complete);
    left = bytes.subarray(complete);
  }
}
