import { Readable } from 'node:stream';
import { type Actor, AppError, getLiveFile, getLivePlaylist } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { originalKey } from '../../base/storage/originals.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Fetched, MediaSessions, Span } from '../../media/play/media-sessions.ts';
import { headers } from '../../media/play/routes.ts';
import { rangeOf } from '../../media/play/transfer.ts';
import type { LiveAccess, Watched } from '../rows/live-access.ts';
import type { RecorderMirror } from '../rows/mirror.ts';
import { ringChanges } from './changes.ts';
import { spanOfParts, spanOfRecorded } from './content-span.ts';
import { type NumberingDeps, numbering } from './numbering.ts';
import { playlistAnswers } from './playlist-answer.ts';
import { tablesInFront } from './segment-tables.ts';
import { patienceSeconds } from './tags.ts';

export type HlsRoutesDeps = Http & {
  mirror: Pick<RecorderMirror, 'ring' | 'segments' | 'recordedAs' | 'subscribe'>;
  access: Pick<LiveAccess, 'mayWatch' | 'watch'>;
  sessions: Pick<MediaSessions, 'read'>;
  /** `live/ring` of the data folder, which the recorder writes. */
  ring: Pick<Storage, 'read' | 'stat'>;
  /** Storage of running recordings. */
  storage: Pick<Storage, 'read' | 'stat'>;
  /** Keeps the media sequence numbers of playlists across restarts: `live/hls` of the data folder. */
  numbers: NumberingDeps['storage'];
  log: NumberingDeps['log'];
};

/** Minimum length of a list that is compressed; shorter lists, such as all delta updates, are not worth it. */
const PACKED_FROM_CHARS = 16 * 1024;

const takesPacked = (request: FastifyRequest) => /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));

type Asking = {
  actor: Actor;
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
  audit: RequestAudit;
};

/** Bytes available for sending: a file of the ring, which may still grow, or a segment of a recording. */
type Found = {
  storage: Pick<Storage, 'read' | 'stat'>;
  key: string;
  offset: number;
  sizeBytes: number;
  grows: boolean;
  /** True if PAT and PMT may have to be sent before these bytes. */
  isBare: boolean;
  /** Returns the arrival times of a byte range, not counting PAT and PMT sent before it; null if unknown. */
  contentSpan: (start: number, end: number) => Span | null;
};

/** A viewer for the duration of one request; `signal` is aborted when the right is lost or the client disconnects. */
type Viewer = { watched: Watched; signal: AbortSignal; end: () => void };

/**
 * Routes of live video by HLS. Rights are checked for each playlist and byte range, and a transfer is aborted when they
 * are lost.
 */
export function hlsRoutes(deps: HlsRoutesDeps): void {
  const { mirror, access, sessions } = deps;
  const changes = ringChanges(mirror);
  const numbers = numbering({ storage: deps.numbers, nowUs: deps.nowUs, log: deps.log });
  const playlists = playlistAnswers({ mirror, changes, numbers });

  callRoute(deps, getLivePlaylist, async ({ input: { params, query }, ...asking }) => {
    const viewer = await watch(asking, params.sensor);
    try {
      const { _HLS_msn: msn, _HLS_part: part, _HLS_skip: skip } = query;
      if (part !== undefined && msn === undefined) throw new AppError('invalid', { _HLS_part: 'Needs _HLS_msn.' });
      const reload = msn === undefined ? null : { msn, part: part ?? null };
      const answer = query.mode === 'll' ? playlists.lowLatency : playlists.rewindable;
      const { text, packed } = await answer(params.sensor, {
        ...{ reload, skip: skip !== undefined, token: query.token ?? null, signal: viewer.signal },
        mayWatch: (sensorId: string) => access.mayWatch(asking.actor, sensorId),
      });
      await begin(asking, viewer.watched, null);
      if (viewer.signal.aborted) throw new AppError('notFound');
      const reply = headers(asking.reply, viewer.watched.item).type('application/vnd.apple.mpegurl');
      reply.header('vary', 'accept-encoding');
      if (text.length < PACKED_FROM_CHARS || !takesPacked(asking.request)) return text;
      reply.header('content-encoding', 'gzip');
      return await packed();
    } finally {
      viewer.end();
    }
  });

  callRoute(deps, getLiveFile, async ({ input: { params }, ...asking }) => {
    const viewer = await watch(asking, params.sensor);
    try {
      return await send(asking, viewer, params);
    } catch (error) {
      viewer.end();
      throw error;
    }
  });

  async function send(asking: Asking, viewer: Viewer, { sensor, file }: { sensor: string; file: string }) {
    const { request, reply } = asking;
    const name = file.replace(/\.ts$/, '');
    const [, fileId, n] = /^(.{36})-(\d+)$/.exec(name) ?? [];
    const find = () => (fileId === undefined ? ofRing(sensor, Number(name)) : ofRecording(sensor, fileId, Number(n)));
    if (find() === null && !isNext(sensor, name)) throw new AppError('notFound');
    // A player that got a preload hint requests the next part before it exists.
    const from = Number(/^bytes=(\d{1,12})-/i.exec(request.headers.range ?? '')?.[1] ?? 0);
    const isThere = () => {
      const now = find();
      return now !== null && (now.sizeBytes > from || !now.grows);
    };
    await changes.until(
      { sensorId: sensor, isThere },
      { seconds: patienceSeconds(mirror.ring(sensor)), signal: viewer.signal },
    );
    const found = find();
    if (found === null || (await found.storage.stat(found.key)) === null) throw new AppError('notFound');
    const tables = found.isBare ? await tablesInFront(found.storage, found) : new Uint8Array(0);
    const sizeBytes = tables.length + found.sizeBytes;
    const { start, end, isPart } = rangeOf(request, reply, sizeBytes);
    const contentSpan = found.contentSpan(start - tables.length, end - tables.length);
    await begin(asking, viewer.watched, request.method === 'HEAD' ? null : { bytes: end - start, contentSpan });
    if (viewer.signal.aborted) throw new AppError('notFound');
    headers(reply, viewer.watched.item).type('video/mp2t').header('accept-ranges', 'bytes');
    reply.header('content-disposition', `attachment; filename="${name}.ts"`).header('content-length', end - start);
    const total = found.grows ? '*' : sizeBytes;
    if (isPart) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${total}`);
    const isEmpty = request.method === 'HEAD' || start === end;
    const bytes = isEmpty ? Readable.from([]) : readBehind(tables, found, { start, end });
    bytes.once('close', viewer.end);
    viewer.signal.addEventListener('abort', () => bytes.destroy());
    return bytes;
  }

  function ofRing(sensorId: string, n: number): Found | null {
    const segment = mirror.ring(sensorId).find((one) => one.n === n);
    if (segment === undefined) return null;
    const { sizeBytes, done } = segment;
    const contentSpan = (start: number, end: number) => spanOfParts(segment, [start, end]);
    return {
      storage: deps.ring,
      key: `${sensorId}/${n}.ts`,
      offset: 0,
      sizeBytes,
      grows: !done,
      isBare: false,
      contentSpan,
    };
  }

  function ofRecording(sensorId: string, fileId: string, n: number): Found | null {
    const sensor = mirror.recordedAs(sensorId)?.sensor;
    const segment = mirror.segments(fileId)[n];
    if (!sensor?.files.some((one) => one.fileId === fileId) || segment === undefined) return null;
    const { offset, sizeBytes } = segment;
    const key = originalKey(sensor.sensorId, fileId);
    const contentSpan = () => spanOfRecorded(segment);
    return { storage: deps.storage, key, offset, sizeBytes, grows: false, isBare: true, contentSpan };
  }

  /** Returns whether this is the next segment, which a playlist announces when the last one is complete. */
  function isNext(sensorId: string, name: string): boolean {
    const last = mirror.ring(sensorId).at(-1);
    return last?.done === true && Number(name) === last.n + 1;
  }

  async function watch({ actor, session, request, reply }: Asking, sensorId: string): Promise<Viewer> {
    const gone = new AbortController();
    const close = () => {
      gone.abort();
      request.raw.socket.destroy();
    };
    reply.raw.once('close', () => gone.abort());
    const { end, ...watched } = await access.watch({ actor, credentialId: session.credentialId, close }, sensorId);
    return { watched, signal: gone.signal, end };
  }

  /** Writes the audit row before the first byte is sent. */
  function begin({ actor, session, request, audit }: Asking, { sensorId, item }: Watched, fetched: Fetched | null) {
    return sessions.read({ actor, via: session.id ?? request.ip, mission: item, sensorId, audit }, fetched);
  }
}

/** Reads a byte range of the tables followed by the file's bytes. */
function readBehind(
  tables: Uint8Array,
  { storage, key, offset }: Found,
  { start, end }: { start: number; end: number },
): Readable {
  const at = offset - tables.length;
  if (start >= tables.length) return storage.read(key, { start: at + start, end: at + end, isComplete: true });
  const head = Buffer.from(tables.subarray(start, end));
  if (end <= tables.length) return Readable.from([head], { objectMode: false });
  const source = storage.read(key, { start: offset, end: at + end, isComplete: true });
  async function* joined() {
    yield head;
    yield* source;
  }
  return Readable.from(joined(), { objectMode: false });
}
