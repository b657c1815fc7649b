import type { LiveSensor } from '@osprey/contract';
import { fill, formatClock, formatCount, formatNumber, formatTime } from '../base/format.ts';
import { texts } from './texts.ts';

const words = texts.stream;
const MINUTE_US = 60_000_000;

const rateText = (rate: number): string =>
  fill(words.rate, { rate: formatNumber(rate, Number.isInteger(rate) ? 0 : 2) });

/** Formats a count such as "3 packets lost"; returns nothing for 0. */
const packetsText = (count: number | null, counted: { one: string; many: string }): string[] =>
  count ? [formatCount(count, counted)] : [];

/** Content of a stream: "H.264 1920 × 1080, 30 fps, 6.2 Mbit/s, KLV". */
function carried(sensor: LiveSensor): string {
  const { video, bitrate, lostPackets, reorderedPackets, refusedPackets, jitter } = sensor;
  return [
    ...(video ? [pictureText(video)] : []),
    ...(video?.frameRate ? [rateText(video.frameRate)] : []),
    ...(bitrate === null ? [] : [fill(words.bitrate, { rate: formatNumber(bitrate / 1e6, 1) })]),
    ...klvText(sensor),
    ...packetsText(lostPackets, words.lost),
    ...packetsText(reorderedPackets, words.reordered),
    ...packetsText(refusedPackets, words.refused),
    ...(jitter === null ? [] : [fill(words.jitter, { ms: formatNumber(jitter, 1) })]),
  ].join(', ');
}

/** Text for KLV; lists all KLV streams if there are several. */
function klvText({ klv, klvStreams }: LiveSensor): string[] {
  if (!klvStreams || klvStreams.chosen === null) return klv ? [words.klv] : [];
  const pids = klvStreams.streams.map(({ pid }) => pid).join(', ');
  return [fill(words.klvOf, { pid: klvStreams.chosen, pids })];
}

/** Traffic of a receiver: "12 sentences/s, 3 checksum faults". */
function aisText({ perSecond, checksumFaults, dropped }: NonNullable<LiveSensor['ais']>): string {
  return [
    fill(words.sentences, { rate: formatNumber(perSecond, perSecond < 10 ? 1 : 0) }),
    ...packetsText(checksumFaults, words.checksum),
    ...packetsText(dropped, words.dropped),
  ].join(', ');
}

function pictureText({ codec, width, height }: NonNullable<LiveSensor['video']>): string {
  return fill(words.picture, { codec: words.codecs[codec], width, height });
}

function condition(sensor: LiveSensor): string {
  const { on, state, since } = sensor;
  if (state === 'online') {
    if (sensor.type === 'ais') return sensor.ais ? aisText(sensor.ais) : '';
    // A video stream may contain AIS too.
    return [carried(sensor), ...(sensor.ais ? [fill(words.ais, { heard: aisText(sensor.ais) })] : [])].join(', ');
  }
  if (state === 'lost' && since !== null) {
    return fill(sensor.type === 'ais' ? words.silent : words.waiting, { time: formatClock(since) });
  }
  if (!on) return words.off;
  const waiting = since === null ? words.never : fill(words.lastSeen, { time: formatTime(since) });
  // A possible reason for missing packets: their sender is not on the list of allowed senders.
  return [waiting, ...packetsText(sensor.refusedPackets, words.refused)].join(', ');
}

/**
 * Explains why a sensor cannot be received or recorded: `brief` must never be truncated, `reason` is shown if there is
 * room. Null if there is no problem.
 */
export function troubleOf({ aside, recorderInfo: { error } }: LiveSensor): { brief: string; reason: string } | null {
  if (aside) return { brief: fill(texts.aside.until, { time: nextMinute(aside.until) }), reason: texts.aside.reason };
  return error === null ? null : { brief: '', reason: fill(texts.recorderError, { info: error }) };
}

/** Returns the first full minute at or after the time as HH:mm, UTC. */
const nextMinute = (timeUs: number): string => formatClock(Math.ceil(timeUs / MINUTE_US) * MINUTE_US).slice(0, 5);

/** Returns the sensor's description together with the state of its stream. */
export const streamText = (sensor: LiveSensor): string =>
  [sensor.description, condition(sensor)].filter((part) => part !== '').join(' · ');
