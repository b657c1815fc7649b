import type { KlvHealth, SensorTimeline } from '@osprey/contract';
import type { TelemetryReader } from '../../telemetry/reader.ts';
import { walk } from '../../telemetry/walk.ts';
import type { IndexedFile } from '../index/sensor-index.ts';
import { fileOfIndex } from './container-file.ts';
import { durationText } from './duration-text.ts';
import type { TimedSidecar } from './sidecar-index.ts';

type Finding = KlvHealth['findings'][number];
type Report = KlvHealth['sidecars'][number];
type Stretch = readonly [fromUs: number, toUs: number];

type Reporting = {
  sidecars: readonly TimedSidecar[];
  /** The files among the sidecars that are shown. */
  files: readonly IndexedFile[];
  /** Times at which there are pictures; empty if the sensor has only telemetry. */
  runs: SensorTimeline['runs'];
};

/** Reports on each telemetry file that is shown, including how many of its records fall within the video. */
export async function reportSidecars(reader: TelemetryReader, { sidecars, files, runs }: Reporting): Promise<Report[]> {
  const reports: Report[] = [];
  for (const file of files) {
    const sidecar = sidecars.find(({ fileId }) => fileId === file.fileId);
    if (sidecar === undefined) continue;
    const { fileId, name, records, offsetUs, order, isStartAssumed, firstUs, lastUs } = sidecar;
    const { shiftUs } = file.timebase;
    let within = 0;
    for (const { startTime, endTime } of runs) {
      const span = { fromUs: startTime, toUs: endTime, tags: new Set<number>() };
      for await (const _ of walk(reader, [file], span)) within += 1;
    }
    reports.push({
      ...{ fileId: fileOfIndex(fileId), name, records },
      startTime: Math.round(firstUs + shiftUs),
      endTime: Math.round(lastUs + shiftUs),
      withinVideo: runs.length === 0 ? null : within,
      offset: offsetUs,
      startAssumed: isStartAssumed ?? false,
      order: order ? { first: order.order, basis: order.basis, exchanged: order.isExchanged } : null,
    });
  }
  return reports;
}

/** Returns findings about one telemetry file, worst first. */
export function sidecarFindings(report: Report, runs: SensorTimeline['runs']): Finding[] {
  const { name, records, withinVideo, offset, startAssumed, order } = report;
  const findings: Finding[] = [];
  const warn = (text: string) => findings.push({ severity: 'warning', text: `${name}: ${text}` });
  if (withinVideo === 0) {
    const all = records === 1 ? 'its one record does not lie' : `none of its ${records} records lies`;
    findings.push({ severity: 'error', text: `${name}: ${all} within the video; ${distanceText(report, runs)}.` });
  } else if (startAssumed && offset === 0) {
    warn(
      'its times have no known zone, or count from its own start; they are taken to begin with the video (assumed).',
    );
  }
  if (order?.basis === 'assumed' && !order.exchanged) {
    const first = order.first === 'latitudeFirst' ? 'latitude' : 'longitude';
    warn(
      `it does not name its coordinates, and nothing in it shows which is which; the ${first} is taken to be the first, as published for this form (assumed).`,
    );
  }
  const share = withinVideo === null || withinVideo === records ? '' : `, ${withinVideo} of them within the video`;
  const count = records === 1 ? 'one record' : `${records} records`;
  if (withinVideo !== 0) findings.push({ severity: 'good', text: `Telemetry comes from ${name}: ${count}${share}.` });
  return findings;
}

/** Describes the distance in time between a telemetry file and the video, if they do not overlap. */
function distanceText({ startTime, endTime }: Report, runs: SensorTimeline['runs']): string {
  const stretches = runs.map(({ startTime, endTime }): Stretch => [startTime, endTime]);
  const first = Math.min(...stretches.map(([from]) => from));
  const last = Math.max(...stretches.map(([, to]) => to));
  if (endTime < first) return `they end ${longText(first - endTime)} before it begins`;
  if (startTime > last) return `they begin ${longText(startTime - last)} after it ends`;
  return 'they lie where the video pauses';
}

const DAY_US = 86_400_000_000;
const YEAR_DAYS = 365.25;

/** Formats a duration in its two largest units: `3 years 14 days`, `2 days 5 h`, `5 min 2 s`. */
function longText(us: number): string {
  const days = Math.floor(us / DAY_US);
  if (days === 0) return durationText(us / 1e6);
  const years = Math.floor(days / YEAR_DAYS);
  const rest = Math.floor(days - years * YEAR_DAYS);
  if (years > 0) return `${counted(years, 'year')} ${counted(rest, 'day')}`;
  return `${counted(days, 'day')} ${Math.floor((us - days * DAY_US) / 3_600_000_000)} h`;
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
