import type { KlvHealth, Sensor } from '@osprey/contract';
import { st0601Tags } from '@osprey/klv/tags';
import { fill, formatNumber, formatTime } from '../base/format.ts';
import { copyText } from '../telemetry/values.ts';
import { texts } from './texts.ts';

export type Mark = 'good' | 'warning' | 'error';

/** Returns the share of all sets that contain a tag, from 0 to 1. */
export const shareOf = (sets: number, all: number): number => (all === 0 ? 0 : Math.min(1, sets / all));

type FootprintReason =
  | { source: 'corners' | 'offsets' | 'computed' }
  | { source: null; missing: number[]; hasPosition: boolean; hasCentre: boolean };

const FULL = [82, 83, 84, 85, 86, 87, 88, 89];
const OFFSETS = [23, 24, 26, 27, 28, 29, 30, 31, 32, 33];
/**
 * Tags needed to compute the footprint. For the platform angles, either the short or the full-range item is sufficient.
 */
const COMPUTED: readonly (readonly number[])[] = [[13], [14], [15], [5], [6, 90], [7, 91], [16], [17], [18], [19]];

/** Returns the source of the footprint, or the items that are missing to compute it. */
export function footprintReason({ tags }: KlvHealth): FootprintReason {
  const sent = new Set(
    tags.filter(({ sets, last, min }) => sets > 0 && (last !== null || min !== null)).map(({ tag }) => tag),
  );
  if (FULL.every((tag) => sent.has(tag))) return { source: 'corners' };
  if (OFFSETS.every((tag) => sent.has(tag))) return { source: 'offsets' };
  const missing = COMPUTED.filter((either) => !either.some((tag) => sent.has(tag))).map(([tag]) => tag!);
  if (missing.length === 0) return { source: 'computed' };
  const has = (...requested: number[]) => requested.every((tag) => sent.has(tag));
  return { source: null, missing, hasPosition: has(13, 14), hasCentre: has(23, 24) };
}

/**
 * Returns the usual number of sets per second: the median over all seconds that have telemetry, so that neither a long
 * gap nor a burst changes it. Null if there is no telemetry.
 */
export function usualRate(rates: readonly number[]): number | null {
  const held = rates.filter((rate) => rate > 0).toSorted((one, other) => one - other);
  return held[Math.floor(held.length / 2)] ?? null;
}

/** Returns the time whose value deviates most from the usual value; null if there are no values. */
export function furthest(
  times: readonly number[],
  values: readonly (number | null)[],
  usual: number,
): { timeUs: number; value: number } | null {
  let worst: { timeUs: number; value: number } | null = null;
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (worst === null || Math.abs(value - usual) > Math.abs(worst.value - usual))
      worst = { timeUs: times[at] ?? 0, value };
  }
  return worst;
}

/** Returns the report as plain text, for a mail to those who operate the encoder. */
export function reportText(name: string, health: KlvHealth): string {
  const { checksum, clock, latencyMs } = health;
  const lines = [
    fill(texts.telemetryOf, { sensor: name }),
    `${texts.cards.sets}: ${health.sets}${health.ratePerSecond === null ? '' : `, ${formatNumber(health.ratePerSecond, 1)} ${texts.perSecond}`}`,
    `${texts.cards.checksum}: ${checksum.bad} / ${checksum.good + checksum.bad + checksum.missing}`,
    `${texts.cards.gaps}: ${clock.gaps.length}`,
    `${texts.cards.jumps}: ${clock.jumps.length}`,
    ...(latencyMs ? [latencyText(latencyMs.median)] : []),
    '',
    texts.findings,
    ...health.findings.map(({ severity, text, time }) => {
      return `- [${severity}] ${text}${time === undefined ? '' : ` ${fill(texts.firstAt, { time: formatTime(time) })}`}`;
    }),
    '',
    texts.tags,
    ...health.tags.map((item) => {
      const values = [item.first, item.last].map((value) => copyText(String(item.tag), value));
      return [item.tag, item.name, item.sets, ...values].join('\t');
    }),
  ];
  return lines.join('\n');
}

/** Adds known damage of the sensor's files on the server, before all other findings. */
export function withDamage(health: KlvHealth, { assets }: Pick<Sensor, 'assets'>): KlvHealth {
  const damaged = assets.flatMap(({ name, damage }): KlvHealth['findings'] =>
    damage === undefined ? [] : [{ severity: 'error', text: `${name}: ${damage}` }],
  );
  return damaged.length === 0 ? health : { ...health, findings: [...damaged, ...health.findings] };
}

export const knownTagCount = st0601Tags.size;

/** How metadata and picture come in the stream, as a sentence: a sign alone says nothing. */
export function latencyText(medianMs: number): string {
  const ms = Math.round(medianMs);
  if (ms === 0) return texts.cards.together;
  return fill(ms < 0 ? texts.cards.ahead : texts.cards.behind, { ms: formatNumber(Math.abs(ms), 0) });
}
