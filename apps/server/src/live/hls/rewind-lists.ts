import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RingSegment } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from '../rows/mirror.ts';
import { dvrPlaylist, ofRecording, ofRing, type Rewindable, skippable } from './dvr-playlist.ts';
import type { Numbering } from './numbering.ts';

/** A playlist as it is sent; `packed`: compressed with gzip, once for all requests that accept it. */
export type PlaylistText = { text: string; packed: () => Promise<Buffer> };

export type RewindList = {
  segments: Rewindable['segments'];
  /** Number of the next segment. */
  next: number;
  /** `knownTo`: the player already has the segments below this number; null if it requests all segments. */
  text: (asked: { knownTo: number | null; token: string | null }) => PlaylistText;
};

type Deps = { mirror: Pick<RecorderMirror, 'ring' | 'segments' | 'recordedAs'>; number: Numbering['number'] };

/**
 * The rewindable segments of each sensor. The list of a recording of hours is long, so it is built once for all
 * requests that wait for it.
 */
export function rewindLists({ mirror, number }: Deps): (sensorId: string) => RewindList {
  const made = new Map<string, { version: string; list: RewindList }>();

  function sourceOf(sensorId: string): { version: string; make: () => Rewindable } {
    const recorded = mirror.recordedAs(sensorId);
    if (recorded === null) {
      const ring = mirror.ring(sensorId);
      return { version: ringVersion(ring), make: () => ofRing(ring) };
    }
    const { missionId } = recorded.recording;
    const { files } = recorded.sensor;
    // Segments are only ever added to a recording, so their count identifies the version.
    const count = files.reduce((sum, { fileId }) => sum + mirror.segments(fileId).length, 0);
    return { version: `${missionId} ${count}`, make: () => ofRecording(missionId, files, mirror.segments) };
  }

  return (sensorId) => {
    const { version, make } = sourceOf(sensorId);
    const existing = made.get(sensorId);
    if (existing?.version === version) return existing.list;
    const list = rewindList(number(sensorId, make()));
    made.set(sensorId, { version, list });
    return list;
  };
}

/** Complete segments are consecutive, so the first and last numbers identify the version. */
const ringVersion = (ring: readonly RingSegment[]) => `ring ${ring[0]?.n} ${ring.findLast(({ done }) => done)?.n}`;

function rewindList(list: Rewindable): RewindList {
  const { firstN, segments } = list;
  const texts = new Map<string, PlaylistText>();
  return {
    segments,
    next: firstN + segments.length,
    text({ knownTo, token }) {
      const skipped = knownTo === null ? 0 : Math.min(skippable(segments), Math.max(0, knownTo - firstN));
      const key = `${skipped} ${token}`;
      const text = texts.get(key) ?? playlistText(dvrPlaylist(list, { token, skipped }));
      // A list with a token is for one viewer only, and is not cached.
      if (token === null) texts.set(key, text);
      return text;
    },
  };
}

export function playlistText(text: string): PlaylistText {
  let packed: Promise<Buffer> | null = null;
  return {
    text,
    packed() {
      packed ??= promisify(gzip)(text);
      return packed;
    },
  };
}
