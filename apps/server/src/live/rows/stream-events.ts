import { isDeepStrictEqual } from 'node:util';
import { platformState, type StreamMonitor, type StreamState } from '@osprey/contract';
import type { KlvStreams, SourceState } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

export type StreamEventDeps = {
  mirror: Pick<RecorderMirror, 'subscribe' | 'sourcesOf' | 'recordedAs' | 'sources'>;
  /** `mission`: only users who may read this mission are notified; null if all users may be. */
  notify: (event: StreamMonitor, mission: string | null) => void;
};

/** Sends changes of streams to pages: states of sensors and platforms, switches, and detected content. */
export function streamEvents({ mirror, notify }: StreamEventDeps): void {
  const existing = new Map<string, SourceState>();
  const platforms = new Map<string, StreamState>();

  mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'hello') {
        for (const source of mirror.sources()) compare(source);
        for (const id of existing.keys()) if (!message.sources.some(({ sensorId }) => sensorId === id)) gone(id);
      }
      if (message.kind === 'source') compare(message.source);
      if (message.kind === 'sourceGone') gone(message.sensorId);
    },
  });

  function compare(source: SourceState): void {
    const { sensorId, platformId, state, since, video, klv, klvStreams } = source;
    const before = existing.get(sensorId);
    existing.set(sensorId, source);
    if (before?.state !== state) {
      notify({ topic: 'state', platform: platformId, sensor: sensorId, state, since }, null);
      comparePlatform(platformId, since);
    }
    if (before !== undefined && before.on !== source.on) notify({ topic: 'config', platform: platformId }, null);
    const detectedBefore = [before?.video ?? null, before?.klv ?? false, withoutCounts(before?.klvStreams)];
    if (isDeepStrictEqual(detectedBefore, [video, klv, withoutCounts(klvStreams)])) return;
    const mission = mirror.recordedAs(sensorId)?.recording.missionId ?? null;
    notify({ topic: 'detection', platform: platformId, sensor: sensorId, video: video && plain(video), klv }, mission);
  }

  function comparePlatform(platformId: string, since: number): void {
    const state = platformState(mirror.sourcesOf(platformId).map((source) => source.state));
    if (platforms.get(platformId) === state) return;
    platforms.set(platformId, state);
    notify({ topic: 'state', platform: platformId, sensor: null, state, since }, null);
  }

  function gone(sensorId: string): void {
    const before = existing.get(sensorId);
    existing.delete(sensorId);
    if (before === undefined) return;
    notify({ topic: 'config', platform: before.platformId }, null);
    if (mirror.sourcesOf(before.platformId).length === 0) platforms.delete(before.platformId);
    else comparePlatform(before.platformId, before.since);
  }
}

/** Counters are left out of the comparison, since they change constantly and need no event. */
const withoutCounts = (found: KlvStreams | null | undefined) =>
  found ? { ...found, streams: found.streams.map(({ pid }) => pid) } : null;

const plain = ({ codec, width, height, frameRate, hasBFrames }: NonNullable<SourceState['video']>) => ({
  ...{ codec, width, height, frameRate, hasBFrames },
});
