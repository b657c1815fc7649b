import type { LiveSensor } from '@osprey/contract';
import { fill, formatClock, formatNumber, formatTime } from '../app/format.ts';
import { texts } from './texts.ts';

const words = texts.stream;

const rateText = (rate: number): string =>
  fill(words.rate, { rate: formatNumber(rate, Number.isInteger(rate) ? 0 : 2) });

function missingText(lostPackets: number | null): string[] {
  if (!lostPackets) return [];
  return [lostPackets === 1 ? words.oneMissing : fill(words.missing, { count: formatNumber(lostPackets) })];
}

/** What a stream carries: "H.264 1920 × 1080, 30 fps, 6.2 Mbit/s, KLV". */
function carried({ video, klv, bitrate, lostPackets }: LiveSensor): string {
  return [
    ...(video ? [pictureText(video)] : []),
    ...(video?.frameRate ? [rateText(video.frameRate)] : []),
    ...(bitrate === null ? [] : [fill(words.bitrate, { rate: formatNumber(bitrate / 1e6, 1) })]),
    ...(klv ? [words.klv] : []),
    ...missingText(lostPackets),
  ].join(', ');
}

function pictureText({ codec, width, height }: NonNullable<LiveSensor['video']>): string {
  return fill(words.picture, { codec: words.codecs[codec], width, height });
}

function condition(sensor: LiveSensor): string {
  const { on, state, since } = sensor;
  if (state === 'online') return carried(sensor);
  if (state === 'lost' && since !== null) return fill(words.waiting, { time: formatClock(since) });
  if (!on) return words.off;
  return since === null ? words.never : fill(words.lastSeen, { time: formatTime(since) });
}

/** What somebody wrote about the sensor, and what its stream does now. */
export const streamText = (sensor: LiveSensor): string =>
  [sensor.description, condition(sensor)].filter((part) => part !== '').join(' · ');
