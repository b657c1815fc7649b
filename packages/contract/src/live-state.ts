import type { liveModes } from './usergroups.ts';

/** State of a stream, or of a platform with several streams. */
export const streamStates = ['unknown', 'online', 'offline', 'lost', 'partial'] as const;
export type StreamState = (typeof streamStates)[number];

/** A sensor's stream is never `partial`: that state exists only for platforms. */
export type SensorStreamState = Exclude<StreamState, 'partial'>;

/** Derives the state of a platform from the states of its sensors. */
export function platformState(sensors: readonly SensorStreamState[]): StreamState {
  const [first] = sensors;
  if (first !== undefined && sensors.length === 1) return first;
  if (sensors.includes('lost')) return 'lost';
  if (!sensors.includes('online')) return 'offline';
  return sensors.includes('offline') ? 'partial' : 'online';
}

export const videoModes = ['lowLatency', 'webRtc', 'highQuality', 'highQualityDvr'] as const;
export type VideoMode = (typeof videoModes)[number];

type Allowed = (typeof liveModes)[number];

/** Facts that determine in which mode a live sensor is watched. */
export type VideoModeFacts = {
  /** Features switched on at the server, from GET info. */
  useLiveLowLatency: boolean;
  useWebRtcVideo: boolean;
  useLiveRtspHls: boolean;
  /** Modes that the usergroups allow this user on the platform. */
  allowed: readonly Allowed[];
  /** Modes that this stream or this browser does not support, each with the reason as a whole sentence. */
  impossible: Partial<Record<VideoMode, string>>;
};

export type VideoModeChoice = {
  mode: VideoMode;
  /** Modes of higher priority that were skipped, with the reason. */
  passed: { mode: VideoMode; reason: string }[];
};

const needs: Partial<Record<VideoMode, Allowed>> = { lowLatency: 'Preview', webRtc: 'WebRtc' };
const labels: Record<VideoMode, string> = {
  lowLatency: 'Low latency',
  webRtc: 'WebRTC',
  highQuality: 'High quality',
  highQualityDvr: 'High quality with rewind',
};
export const videoModeLabel = (mode: VideoMode): string => labels[mode];

/** Chooses the first video mode that is switched on, allowed and possible. HLS with rewind is always possible. */
export function liveVideoMode(facts: VideoModeFacts): VideoModeChoice {
  const switchedOn: VideoMode[] = [
    ...(facts.useLiveLowLatency ? (['lowLatency'] as const) : []),
    ...(facts.useWebRtcVideo ? (['webRtc'] as const) : []),
    ...(facts.useLiveRtspHls ? (['highQuality'] as const) : []),
  ];
  const passed: VideoModeChoice['passed'] = [];
  for (const mode of switchedOn) {
    const needed = needs[mode];
    const reason =
      needed !== undefined && !facts.allowed.includes(needed)
        ? `Your usergroups do not allow ${labels[mode]} here.`
        : facts.impossible[mode];
    if (reason === undefined) return { mode, passed };
    passed.push({ mode, reason });
  }
  return { mode: 'highQualityDvr', passed };
}
