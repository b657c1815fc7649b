import type { KlvHealth, SensorTimeline } from '@osprey/contract';
import { st0601Tags } from '@osprey/klv';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { TagStatistics } from '../../telemetry/writer.ts';
import { programsOf } from '../index/file-index.ts';
import type { KlvCount, KlvFilled } from '../index/klv-survey.ts';
import { LATENCY_RANGE_MS } from '../index/klv-tally.ts';
import { isKlv } from '../index/shown-program.ts';
import type { ArrangedFile } from './arrange.ts';
import { clockFindings, clockOf } from './clock-health.ts';
import { continuationsOf } from './continued.ts';
import { type Counted, counted } from './counted.ts';
import { fileFindings } from './file-findings.ts';
import { pictureClockFindings } from './picture-clock-health.ts';
import type { SidecarIndex } from './sidecar-index.ts';
import { sidecarFindings } from './sidecar-report.ts';
import { holeFindings } from './telemetry-holes.ts';
import { apartFindings, isApart } from './together.ts';

type Finding = KlvHealth['findings'][number];

/**
 * Tags that ST 0601 requires besides the checksum (time stamp and version), and those that ST 0902 (MISMMS) requires from
 * every sensor.
 */
const EXPECTED_TAGS = [2, 65, 3, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 48];
/** Time between metadata and their picture from which they are reported as late, in milliseconds. */
const LATE_MS = 500;
const NAMED_MISSING = 5;

/**
 * Telemetry from text files. Nothing is shown of those that are `covered` by others, or that are `unused` because the
 * recording itself contains telemetry.
 */
type Beside = Record<'shown' | 'covered' | 'unused', readonly SidecarIndex[]> & {
  reports: KlvHealth['sidecars'];
  runs: SensorTimeline['runs'];
};

/** Computes the KLV health of a sensor over all its files, without its course. Times are on the sensor's own clock. */
export function healthOf(sensorId: string, arranged: readonly ArrangedFile[], beside?: Beside): KlvHealth {
  const files = arranged.filter(({ isCopy }) => !isCopy);
  const hasSidecars = beside && beside.shown.length > 0;
  const health = hasSidecars ? healthOfSidecars(sensorId, files, beside) : healthOfFiles(sensorId, files, beside);
  const copies = arranged.flatMap(({ name, note, isCopy }): Finding[] =>
    isCopy ? [{ severity: 'warning', text: `${name}: ${note}` }] : [],
  );
  return { ...health, findings: bySeverity([...health.findings, ...copies]) };
}

function healthOfFiles(sensorId: string, files: readonly ArrangedFile[], beside?: Beside): KlvHealth {
  const checksum = { good: 0, bad: 0, missing: 0 };
  for (const { index } of files) {
    checksum.good += index.klv.checksum.good;
    checksum.bad += index.klv.checksum.bad;
    checksum.missing += index.klv.checksum.missing;
  }
  const streams = files.flatMap(streamsOf);
  const sets = streams.reduce((sum, stream) => sum + stream.sets, 0);
  const health: KlvHealth = {
    sensor: sensorId,
    findings: [],
    streams,
    ...choicesOf(files),
    ...furtherVideos(files),
    ...continued(files),
    sets,
    ratePerSecond: rate(sets, files),
    checksum,
    missing: sets === 0 ? [] : missingTags(files),
    clock: clockOf(files),
    latencyMs: worstLatency(files),
    course: null,
    tags: tagsOf(files),
    faults: faultsOf(files),
    transport: sumOf(files.map(({ index }) => index.transport)),
    sidecars: [],
  };
  const unused = (beside?.unused ?? []).map(({ name }): Finding => {
    return { severity: 'good', text: `${name} is not shown: the recording has telemetry of its own.` };
  });
  return { ...health, findings: [...findingsOf(health, files), ...unused] };
}

/** Computes the health of telemetry from text files, which was never in a stream. */
function healthOfSidecars(
  sensorId: string,
  files: readonly ArrangedFile[],
  { shown: sidecars, covered, reports, runs }: Beside,
): KlvHealth {
  const health = healthOfFiles(sensorId, files);
  const sets = sidecars.reduce((sum, { records }) => sum + records, 0);
  const reported = reports.flatMap((report) => sidecarFindings(report, runs));
  const late = sidecars.flatMap(({ name, leftOut }): Finding[] => {
    const text = counted(leftOut, [
      'one row is out of order or at the time of another track, and left out.',
      'rows are out of order or at the time of another track, and left out.',
    ]);
    return leftOut === 0 ? [] : [{ severity: 'warning', text: `${name}: ${text}` }];
  });
  const damaged = sidecars.flatMap(({ name, damage }): Finding[] =>
    damage ? [{ severity: 'warning', text: `${name}: ${damage}.` }] : [],
  );
  const unused = covered.map(({ name }): Finding => {
    return { severity: 'warning', text: `${name}: all of it lies within the time of others, which are shown instead.` };
  });
  const tags = mergedTags(sidecars);
  const own = [...transportFindings(health.transport), ...files.flatMap(fileFindings)];
  return {
    ...health,
    sets,
    tags,
    findings: bySeverity([...unused, ...damaged, ...late, ...own, ...reported]),
    sidecars: reports,
    clock: { ...health.clock, reason: null },
  };
}

/** Returns the KLV status of a mission, as shown in the table of missions. */
export function klvStatusOf({ findings, sets }: KlvHealth): { state: 'good' | 'warning' | 'none'; text: string } {
  const broken = findings.find((finding) => finding.severity === 'error');
  if (sets === 0) return broken ? { state: 'warning', text: broken.text } : { state: 'none', text: 'No telemetry' };
  const worst = findings.find((finding) => finding.severity !== 'good');
  if (worst) return { state: 'warning', text: worst.text };
  return { state: 'good', text: findings[0]?.text ?? 'Telemetry is complete' };
}

const lengthSeconds = (file: ArrangedFile): number =>
  file.runs.reduce((sum, run) => sum + run.endTicks - run.firstTicks, 0) / TICKS_PER_SECOND;

function rate(sets: number, files: readonly ArrangedFile[]): number | null {
  const seconds = files.reduce((sum, file) => sum + lengthSeconds(file), 0);
  return sets > 0 && seconds > 0 ? Math.round((100 * sets) / seconds) / 100 : null;
}

function streamsOf(file: ArrangedFile): KlvHealth['streams'] {
  return file.index.klv.streams.map(({ pid, program, kind, standards, sets, unknownKeys }) => ({
    fileId: file.id,
    pid,
    program,
    kind,
    standards,
    sets,
    ratePerSecond: rate(sets, [file]),
    ...(unknownKeys && { unknownKeys }),
  }));
}

function continued(files: readonly ArrangedFile[]): Pick<KlvHealth, 'continuations'> {
  const continuations = continuationsOf(files);
  return continuations.length > 0 ? { continuations } : {};
}

/**
 * Lists further videos of transport streams; those of containers are not available, since the stream made from one
 * contains only the first video.
 */
function furtherVideos(files: readonly ArrangedFile[]): Pick<KlvHealth, 'videos'> {
  const videos = files.flatMap(({ id, name, index: { leftOut } }) =>
    leftOut && leftOut.videos.length > 0 ? [{ fileId: id, name, pids: leftOut.videos }] : [],
  );
  return videos.length > 0 ? { videos } : {};
}

function choicesOf(files: readonly ArrangedFile[]): Pick<KlvHealth, 'choices'> {
  const choices = files.flatMap(({ id, name, index: { klv } }) =>
    klv.found && klv.chosen
      ? [
          {
            fileId: id,
            name,
            chosen: klv.chosen.pid,
            by: klv.chosen.by,
            streams: klv.found.map(withFilled(klv.filled)),
          },
        ]
      : [],
  );
  return choices.length > 0 ? { choices } : {};
}

const withFilled =
  (filled: KlvFilled[] = []) =>
  (found: KlvCount) => {
    const tags = filled.find(({ pid }) => pid === found.pid)?.tags;
    return tags === undefined ? found : { ...found, filled: tags };
  };

function missingTags(files: readonly ArrangedFile[]): KlvHealth['missing'] {
  const records = files.reduce((sum, { index }) => sum + index.records, 0);
  return EXPECTED_TAGS.flatMap((tag) => {
    const held = files.reduce((sum, { index }) => {
      if (tag === 2) return sum + index.records - index.klv.clock.missing;
      return sum + (index.tags.find((one) => one.tag === tag)?.sets ?? 0);
    }, 0);
    const absentFrom = Math.max(0, records - held);
    return absentFrom === 0 ? [] : [{ tag, name: nameOf(tag), absentFrom }];
  });
}

const nameOf = (tag: number): string => st0601Tags.get(tag)?.name ?? `Tag ${tag}`;

function worstLatency(files: readonly ArrangedFile[]): KlvHealth['latencyMs'] {
  const known = files.flatMap(({ index }) => index.klv.latencyMs ?? []);
  return known.sort((a, b) => Math.abs(b.p95) - Math.abs(a.p95))[0] ?? null;
}

const tagsOf = (files: readonly ArrangedFile[]) => mergedTags(files.map(({ index }) => index));

function mergedTags(parts: readonly { tags: readonly TagStatistics[] }[]): KlvHealth['tags'] {
  const all = new Map<number, KlvHealth['tags'][number]>();
  for (const { tags } of parts) {
    for (const { tag, sets, first, last, min, max } of tags) {
      const known = all.get(tag);
      const unit = st0601Tags.get(tag)?.unit ?? '';
      if (!known) all.set(tag, { tag, name: nameOf(tag), unit, sets, first, last, min, max });
      else {
        known.sets += sets;
        known.last = last ?? known.last;
        known.min = min === null ? known.min : Math.min(min, known.min ?? min);
        known.max = max === null ? known.max : Math.max(max, known.max ?? max);
      }
    }
  }
  return [...all.values()].sort((a, b) => a.tag - b.tag);
}

function faultsOf(files: readonly ArrangedFile[]): KlvHealth['faults'] {
  const all = new Map<string, KlvHealth['faults'][number]>();
  for (const fault of files.flatMap(({ index }) => index.klv.faults)) {
    const key = `${fault.tag} ${fault.fault}`;
    const known = all.get(key);
    if (known) known.count += fault.count;
    else all.set(key, { ...fault });
  }
  return [...all.values()].sort((a, b) => b.count - a.count);
}

function sumOf(counts: readonly Record<string, number>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const one of counts) for (const [key, count] of Object.entries(one)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
}

const severities = ['error', 'warning', 'good'];

/** Sorts findings by severity, worst first. */
export const bySeverity = (findings: Finding[]): Finding[] =>
  findings.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));

function findingsOf(health: KlvHealth, files: readonly ArrangedFile[]): Finding[] {
  const findings: Finding[] = [
    ...telemetryFindings(health, files),
    ...clockFindings(health, files),
    ...files.flatMap(apartFindings),
    ...(health.sets > 0 ? holeFindings(files) : []),
    ...files.flatMap(keyFindings),
    ...files.flatMap(pictureClockFindings),
    ...transportFindings(health.transport),
    ...files.flatMap(fileFindings),
    ...files.flatMap(aisFindings),
  ];
  if (health.sets > 0 && findings.every(({ severity }) => severity === 'good')) {
    const all = health.sets === 1 ? 'The only packet is' : `All ${health.sets} packets are`;
    findings.push({ severity: 'good', text: `${all} complete.` });
  }
  return bySeverity(findings);
}

/** Describes AIS that is contained in the stream. */
const aisFindings = ({ name, index }: ArrangedFile): Finding[] =>
  (index.ais ?? []).map(({ pid, sentences }) => {
    const count = sentences === 1 ? '1 sentence' : `${sentences} sentences`;
    return { severity: 'good', text: `${name}: AIS on PID ${pid} (${count}); its ships are those of this sensor.` };
  });

function telemetryFindings(health: KlvHealth, files: readonly ArrangedFile[]): Finding[] {
  const { sets, checksum, missing } = health;
  const latencyMs = worstLatency(files.filter((file) => !isApart(file)));
  const announced = files.some(({ index }) => programsOf(index).some(({ streams }) => streams.some(isKlv)));
  if (sets === 0) {
    if (health.faults.length > 0)
      return [{ severity: 'error', text: 'The telemetry cannot be read: no set is whole.' }];
    const text = announced ? 'A telemetry stream is announced, but it is empty.' : 'There is no telemetry stream.';
    return [{ severity: 'warning', text }];
  }
  const findings: Finding[] = [];
  if (checksum.bad > 0) {
    const fails = checksum.bad === 1 ? 'fails its checksum and is' : 'fail their checksum and are';
    findings.push({ severity: 'error', text: `${checksum.bad} of ${sets} sets ${fails} left out.` });
  }
  if (missing.length > 0) {
    const names = missing.slice(0, NAMED_MISSING).map(({ name }) => name);
    const more = missing.length > NAMED_MISSING ? ` and ${missing.length - NAMED_MISSING} more` : '';
    findings.push({ severity: 'warning', text: `Items missing from some sets: ${names.join(', ')}${more}.` });
  }
  if (latencyMs && latencyMs.p95 > LATE_MS) {
    findings.push({ severity: 'warning', text: `Metadata arrive up to ${latencyMs.p95} ms after their pictures.` });
  }
  if (latencyMs && latencyMs.median < -LATE_MS) {
    // Not a fault for recordings, since PTS relates sets to pictures at any distance.
    const most = Math.abs(latencyMs.median) >= LATENCY_RANGE_MS ? 'over ' : '';
    const text = `Metadata are ${most}${Math.abs(latencyMs.median)} ms before their pictures in the multiplex; their times (PTS) agree.`;
    findings.push({ severity: 'good', text });
  }
  return findings;
}

/** Describes sets with unknown keys, one finding for each key. */
function keyFindings({ name, index }: ArrangedFile): Finding[] {
  return index.klv.streams.flatMap(({ pid, unknownKeys = {} }) =>
    Object.entries(unknownKeys).map(([key, count]): Finding => {
      const packets = count === 1 ? 'one packet' : `${count} packets`;
      const keys = key === 'other' ? 'further unknown keys' : `the unknown key ${key}`;
      return { severity: 'warning', text: `${name}: ${packets} under ${keys} (PID ${pid}) cannot be read.` };
    }),
  );
}

const transportTexts: Record<string, Counted> = {
  continuityErrors: ['One gap: packets of the stream are missing.', 'gaps: packets of the stream are missing.'],
  syncLosses: ['The sync of the packets was lost once.', 'losses of the sync of the packets.'],
  skippedBytes: ['One byte lies between packets and was skipped.', 'bytes lie between packets and were skipped.'],
  transportErrors: [
    'One packet is marked as damaged by the receiver and was left out.',
    'packets are marked as damaged by the receiver and were left out.',
  ],
  scrambledPackets: ['One packet is scrambled and was left out.', 'packets are scrambled and were left out.'],
  duplicates: ['One packet is sent twice; one of the two is used.', 'packets are sent twice; one of each is used.'],
  brokenPackets: ['One packet has a damaged header.', 'packets have a damaged header.'],
  badCrc: [
    'One program table fails its checksum and was ignored.',
    'program tables fail their checksum and were ignored.',
  ],
  brokenPes: ['One picture or set is cut short.', 'pictures or sets are cut short.'],
  brokenCells: ['One metadata cell is broken.', 'metadata cells are broken.'],
  badTimes: ['The time of one picture is not plausible.', 'times of pictures are not plausible.'],
};

function transportFindings(transport: Record<string, number>): Finding[] {
  return Object.entries(transport).flatMap(([key, count]) => {
    const text = transportTexts[key];
    return count > 0 && text ? [{ severity: 'warning' as const, text: counted(count, text) }] : [];
  });
}
