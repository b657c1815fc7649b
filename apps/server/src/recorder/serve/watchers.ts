import { PACKET_SIZE } from '@osprey/mpegts';
import { mediaHead } from '../../recorder-wire/media-messages.ts';
import type { LiveStream, LiveUnit, StreamFacts } from '../components.ts';
import type { Connection, MediaPiece } from './connection.ts';

/**
 * Maximum size of the pieces in which packets are sent. Incomplete pieces are sent at the end of each turn of the event
 * loop.
 */
const PIECE_BYTES = 64 * 1024;
/**
 * Maximum size of the pictures since the last key frame that are cached for new watchers. If they are larger, new
 * watchers wait for the next key frame.
 */
const GROUP_BYTES = 8 * 1024 * 1024;

type Piece = { packets: Buffer; arrivalUs: number };
/** A connection that watches the stream. While `waiting` is true, it receives nothing until the next key frame. */
type Watcher = { connection: Connection; waiting: boolean };

/** Forwards the bytes of streams to the processes that watch them. */
export type Watchers = {
  watch(sensorId: string, connection: Connection): void;
  unwatch(sensorId: string, connection: Connection): void;
  gone(connection: Connection): void;
};

type Watchable = Pick<LiveStream, 'sensorId' | 'listen'>;
type AllStreams = { each(add: (stream: Watchable) => () => void): void };

export function watchers(streams: AllStreams): Watchers {
  const fans = new Map<string, Fan>();
  const watched = new Map<string, Set<Connection>>();

  streams.each((stream) => {
    const fan = createFan(stream);
    fans.set(stream.sensorId, fan);
    for (const connection of watched.get(stream.sensorId) ?? []) fan.join(connection);
    return () => {
      fan.end();
      fans.delete(stream.sensorId);
    };
  });

  function unwatch(sensorId: string, connection: Connection): void {
    if (watched.get(sensorId)?.delete(connection)) fans.get(sensorId)?.leave(connection);
    if (watched.get(sensorId)?.size === 0) watched.delete(sensorId);
  }

  return {
    watch(sensorId, connection) {
      const all = watched.get(sensorId) ?? new Set();
      watched.set(sensorId, all);
      if (all.has(connection)) return;
      all.add(connection);
      fans.get(sensorId)?.join(connection);
    },
    unwatch,
    gone(connection) {
      for (const sensorId of [...watched.keys()]) unwatch(sensorId, connection);
    },
  };
}

type Fan = { join(connection: Connection): void; leave(connection: Connection): void; end(): void };

function createFan(stream: Watchable): Fan {
  const { sensorId } = stream;
  const watching = new Map<Connection, Watcher>();
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let used = 0;
  let arrival = 0;
  let isFlushing = false;
  /**
   * Pieces since the last key frame, beginning with PAT and PMT; null before the first key frame, or when the pieces
   * have become too large.
   */
  let group: Piece[] | null = null;
  let groupBytes = 0;
  let isKeyNext = false;

  function unit({ keyframe }: LiveUnit, { tables }: StreamFacts): void {
    if (!keyframe) return;
    flush();
    group = tables === null ? [] : [{ packets: Buffer.from(tables), arrivalUs: arrival }];
    groupBytes = 0;
    isKeyNext = true;
  }

  function packets(bytes: Uint8Array, arrivalUs: number): void {
    let from = 0;
    while (from < bytes.length) {
      if (used === 0) arrival = arrivalUs;
      const taken = Math.min(bytes.length - from, roomFor());
      buffer.set(bytes.subarray(from, from + taken), used);
      used += taken;
      from += taken;
      if (roomFor() === 0) flush();
    }
    if (used > 0) flushSoon();
  }

  /** Returns the number of free bytes in the buffer, rounded down to complete packets. */
  function roomFor(): number {
    const left = PIECE_BYTES - used;
    return left - (left % PACKET_SIZE);
  }

  function flushSoon(): void {
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(() => {
      isFlushing = false;
      flush();
    });
  }

  function flush(): void {
    if (used === 0) return;
    const piece: Piece = { packets: Buffer.from(buffer.subarray(0, used)), arrivalUs: arrival };
    used = 0;
    const tables = isKeyNext ? (group ?? []) : null;
    isKeyNext = false;
    for (const watcher of watching.values()) give(watcher, piece, tables);
    keep(piece);
  }

  /**
   * Sends a piece to a watcher. `tables` (PAT and PMT) is not null if the piece begins with a key frame; a waiting
   * watcher resumes there.
   */
  function give(watcher: Watcher, piece: Piece, tables: Piece[] | null): void {
    const { connection } = watcher;
    if (watcher.waiting && (tables === null || !connection.hasRoom())) return;
    const pieces = watcher.waiting ? framed([...(tables ?? []), piece]) : [framedPiece(piece, false)];
    watcher.waiting = !connection.sendMedia(pieces);
  }

  const framedPiece = ({ packets, arrivalUs }: Piece, lost: boolean): MediaPiece => ({
    head: mediaHead(sensorId, { arrivalUs, lost, size: packets.length }),
    packets,
  });

  const framed = (pieces: Piece[]): MediaPiece[] => pieces.map((piece, index) => framedPiece(piece, index === 0));

  function keep(piece: Piece): void {
    if (group === null) return;
    groupBytes += piece.packets.length;
    if (groupBytes > GROUP_BYTES) group = null;
    else group.push(piece);
  }

  function forget(): void {
    flush();
    group = null;
    isKeyNext = false;
    for (const watcher of watching.values()) watcher.waiting = true;
  }

  const stop = stream.listen({ unit, packets, changed: forget, lost: forget });

  return {
    join(connection) {
      // Bytes buffered so far belong to the current group of pictures, so they are flushed before a watcher is added.
      flush();
      const hasPictures = group !== null && groupBytes > 0;
      const isGiven = hasPictures && connection.sendMedia(framed(group ?? []));
      watching.set(connection, { connection, waiting: !isGiven });
    },
    leave: (connection) => watching.delete(connection),
    end: stop,
  };
}
