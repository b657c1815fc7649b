import {
  type LivePlatform,
  type LiveSensor,
  liveVideoMode,
  type VideoMode,
  type VideoModeChoice,
} from '@osprey/contract';
import { fill } from '../../base/format.ts';
import { texts } from '../texts.ts';

export type Impossible = Partial<Record<VideoMode, string>>;

/** Settings of the server, from GET info. */
export type LiveFlags = {
  useLiveLowLatency?: boolean | undefined;
  useWebRtcVideo?: boolean | undefined;
  useLiveRtspHls?: boolean | undefined;
};

/** MIME types with a typical minimum profile of each codec. The exact type is known only with the first picture. */
const TYPES = {
  h264: 'video/mp4; codecs="avc1.64001f"',
  h265: 'video/mp4; codecs="hvc1.1.6.L93.B0"',
  mpeg2: 'video/mp4; codecs="mp4v.61"',
  mpeg4: 'video/mp4; codecs="mp4v.20.9"',
} as const;

const playsInMediaSource = (type: string) => typeof MediaSource === 'function' && MediaSource.isTypeSupported(type);

/** Returns the modes that this browser or this stream does not support, each with the reason. */
export function impossibleModes({ video }: Pick<LiveSensor, 'video'>): Impossible {
  const reasons: Impossible = {};
  if (typeof MediaSource !== 'function') {
    for (const mode of ['lowLatency', 'highQuality', 'highQualityDvr'] as const)
      reasons[mode] = texts.impossible.mediaSource;
  } else if (video && !playsInMediaSource(TYPES[video.codec])) {
    const reason = fill(texts.impossible.codecNamed, { codec: texts.codecs[video.codec] });
    for (const mode of ['lowLatency', 'highQuality', 'highQualityDvr'] as const) reasons[mode] = reason;
  }
  if (typeof RTCPeerConnection !== 'function') reasons.webRtc = texts.impossible.noRtc;
  else if (video && !video.browserPlayable) reasons.webRtc = texts.impossible.rtcCodec;
  else if (video?.hasBFrames) reasons.webRtc = texts.impossible.bFrames;
  return reasons;
}

type Given = { platform: Pick<LivePlatform, 'liveModes'>; info: LiveFlags | null; impossible: Impossible };

/** Returns the mode in which a sensor is watched by default. */
export function bestMode({ platform, info, impossible }: Given): VideoModeChoice {
  return liveVideoMode({
    useLiveLowLatency: info?.useLiveLowLatency ?? false,
    useWebRtcVideo: info?.useWebRtcVideo ?? false,
    useLiveRtspHls: info?.useLiveRtspHls ?? false,
    allowed: platform.liveModes,
    impossible,
  });
}

/** Returns the reason why a mode cannot be chosen; null if it can. */
export function refusalOf(mode: VideoMode, given: Given): string | null {
  const impossible = given.impossible[mode];
  if (impossible !== undefined) return impossible;
  const alone = {
    useLiveLowLatency: mode === 'lowLatency',
    useWebRtcVideo: mode === 'webRtc',
    useLiveRtspHls: mode === 'highQuality',
  };
  return bestMode({ ...given, info: alone }).passed[0]?.reason ?? null;
}
