import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Actor, AppError, getMediaFile, getMediaSegment, getPlaylist } from '@osprey/contract';
import { createSegmentCutter } from '@osprey/mpegts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../../base/access/authorize.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { actorAgain } from '../../base/http/still-allowed.ts';
import type { MissionFacts } from '../../base/items/mission-facts.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { programOfRun } from '../index/file-index.ts';
import type { PlayableFile, PlayableSegment } from '../index/sensor-index.ts';
import { spanOfRange, spanOfSegments } from './content-span.ts';
import { type MediaSensors, originalOf } from './media-files.ts';
import type { Fetched, MediaSessions } from './media-sessions.ts';
import { playlistOf } from './playlist.ts';
import { rangeHeaders, rangeOfFile, watchedRead } from './transfer.ts';

export type MediaRoutesDeps = Http & {
  storage: Storage;
  media: MediaSensors;
  reads: OpenReads;
  sessions: MediaSessions;
  /** Reports an original whose stored bytes are missing or differ from what its row says. */
  damaged: (fileId: string, error: unknown) => void;
  /** Called if a rendition that is played instead of an original is missing. */
  missing: (sensorId: string) => void;
};

type Asking = {
  actor: Actor;
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
  audit: RequestAudit;
};

/** Headers of a response, and its bytes. */
type Sent = { head: (reply: FastifyReply) => void; bytes: () => Readable };

/**
 * Routes of playlists and media bytes. Rights are checked for each request, and a transfer is aborted when they are
 * lost.
 */
export function mediaRoutes(deps: MediaRoutesDeps): void {
  const { media: sensors, storage } = deps;

  callRoute(deps, getPlaylist, async ({ input: { params, query }, ...asking }) => {
    const { mission, index, shiftUs } = await readable(params.sensorId, asking);
    const timeline = index?.timeline;
    const isPlayable = index?.files.some(({ media }) => media !== null && media.segments.length > 0);
    if (!index || !timeline || !isPlayable) throw new AppError('notFound');
    await begin(asking, mission, params.sensorId, null);
    headers(asking.reply, mission).type('application/vnd.apple.mpegurl');
    return playlistOf({
      files: index.files,
      timeline,
      shiftUs,
      isOriginal: ({ media }) => media?.storageKey.startsWith('originals/') ?? false,
      token: query.token ?? null,
    });
  });

  callRoute(deps, getMediaFile, async ({ input: { params }, ...asking }) => {
    const { mission, originals, index, shiftUs } = await readable(params.sensorId, asking);
    const [fileId = '', ending] = params.file.split('.');
    const { key, sizeBytes, kind } = originalOf(originals, fileId);
    if (kind !== ending) throw new AppError('notFound');
    const complete = { sizeBytes, tag: fileId };
    const range = rangeOfFile(asking.request, asking.reply, complete);
    const { start, end } = range;
    const file = index?.files.find((one) => one.fileId === fileId);
    const contentSpan = file ? spanOfRange({ file, key, range: [start, end], shiftUs }) : null;
    await begin(asking, mission, params.sensorId, { bytes: end - start, contentSpan });
    return send(asking, params.sensorId, mission, {
      head: (reply) => rangeHeaders(named(reply, fileId, kind), complete, range),
      bytes: () => watched(fileId, key, storage.read(key, { start, end, isComplete: true })),
    });
  });

  callRoute(deps, getMediaSegment, async ({ input: { params }, ...asking }) => {
    const { mission, index, shiftUs } = await readable(params.sensorId, asking);
    const n = Number(params.segment.replace(/\.ts$/, ''));
    const file = index?.files.find(({ fileId }) => fileId === params.fileId);
    const segment = file?.media?.segments.find((one) => one.n === n);
    if (!file?.media || !segment) throw new AppError('notFound');
    const { media } = file;
    await expectRendition(params.sensorId, media.storageKey);
    const contentSpan = spanOfSegments(file, [segment], shiftUs);
    await begin(asking, mission, params.sensorId, { bytes: segment.sizeBytes, contentSpan });
    return send(asking, params.sensorId, mission, {
      head: (reply) => void named(reply, `${params.fileId}-${n}`),
      bytes: () => watched(params.fileId, media.storageKey, segmentBytes(storage, media, segment)),
    });
  });

  /** @throws AppError notFound, for hidden and absent sensors alike */
  async function readable(sensorId: string, { actor }: Pick<Asking, 'actor'>) {
    const sensor = await sensors.read(sensorId);
    authorize(actor, 'mission.read', sensor.mission);
    return sensor;
  }

  /**
   * Checks that a rendition exists: renditions can be made again, and not all backups contain them. @throws AppError
   * renditionMissing
   */
  async function expectRendition(sensorId: string, key: string): Promise<void> {
    if (key.startsWith('originals/') || (await storage.stat(key)) !== null) return;
    deps.missing(sensorId);
    throw new AppError('renditionMissing');
  }

  /** Reports an original as damaged if reading it fails. */
  function watched(fileId: string, key: string, bytes: Readable): Readable {
    if (key.startsWith('originals/')) bytes.once('error', (error) => deps.damaged(fileId, error));
    return bytes;
  }

  async function send(asking: Asking, sensorId: string, mission: MissionFacts, { head, bytes }: Sent) {
    const { request, reply } = asking;
    const writeHead = () => head(headers(reply, mission).type('video/mp2t'));
    if (request.method === 'HEAD') {
      writeHead();
      return Readable.from([]);
    }
    const again = async () => {
      await readable(sensorId, { actor: await actorAgain(deps, request, { media: true }) });
    };
    const begin = () => {
      writeHead();
      return bytes();
    };
    return watchedRead(deps.reads, asking, [mission], { again, begin });
  }

  /** Writes the access to the audit log before the first byte is sent. */
  function begin(asking: Asking, mission: MissionFacts, sensorId: string, fetched: Fetched | null) {
    const { actor, session, request, audit } = asking;
    const sent = request.method === 'HEAD' ? null : fetched;
    return deps.sessions.read({ actor, via: session.id ?? request.ip, mission, sensorId, audit }, sent);
  }
}

const TYPES = { ts: 'video/mp2t', mp4: 'video/mp4', mkv: 'video/x-matroska' } as const;

const named = (reply: FastifyReply, name: string, kind: keyof typeof TYPES = 'ts'): FastifyReply =>
  reply.type(TYPES[kind]).header('content-disposition', `attachment; filename="${name}.${kind}"`);

/**
 * Sets the headers for caches: labelled items must not be cached at all, and no item may be cached by shared caches.
 */
export function headers(reply: FastifyReply, mission: Pick<MissionFacts, 'securityClassification'>): FastifyReply {
  const isOpen = mission.securityClassification === 'UNCLASSIFIED';
  return reply
    .header('cache-control', isOpen ? 'private, no-cache' : 'private, no-store')
    .header('content-security-policy', "sandbox; default-src 'none'");
}

/** Returns a segment for players, preceded by its tables: as stored, or cleaned while being sent. */
function segmentBytes(storage: Storage, media: PlayableFile, segment: PlayableSegment): Readable {
  const { offset, sizeBytes, isTrimmed } = segment;
  const source = storage.read(media.storageKey, { start: offset, end: offset + sizeBytes, isComplete: true });
  if (media.rangesPlayable && !isTrimmed) return source;
  const { packeting } = media;
  const program = programOfRun(media, segment.run);
  const cutter = createSegmentCutter({ packeting, program, completePictures: true });
  async function* cleaned() {
    // The cutter's output is valid only until its next call, so it is copied before being buffered.
    for await (const bytes of source) yield Buffer.from(cutter.push(bytes));
    yield Buffer.from(cutter.end(await packetBehind(storage, media, segment)));
  }
  return Readable.from(cleaned(), { objectMode: false });
}

/**
 * Returns the packet after a segment, which shows that its last picture is complete. Null if the clock restarts there,
 * since the continuity counters may restart too.
 */
async function packetBehind(storage: Storage, media: PlayableFile, { n, offset, sizeBytes, run }: PlayableSegment) {
  if (media.segments.find((one) => one.n === n + 1)?.run !== run) return null;
  const start = offset + sizeBytes;
  return buffer(storage.read(media.storageKey, { start, end: start + media.packeting.packetSize }));
}
