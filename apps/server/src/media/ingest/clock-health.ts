import type { KlvHealth } from '@osprey/contract';
import { TIME_FAULTS } from '@osprey/klv';
import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { ClockFault } from '../../telemetry/klv-clock.ts';
import { utcOfPts } from '../../telemetry/timebase.ts';
import type { ArrangedFile } from './arrange.ts';
import { counted, often } from './counted.ts';
import { durationText } from './duration-text.ts';
import { gapFindings } from './telemetry-holes.ts';

type Finding = KlvHealth['findings'][number];

const TIME_TAG = 2;
/** Maximum number of clock faults that are described in a sentence each; the report contains all. */
const FAULTS_REPORTED = 5;

/** Summarizes the faults of the metadata clock over all files of a sensor. */
export function clockOf(files: readonly ArrangedFile[]): KlvHealth['clock'] {
  const surveys = files.map(({ index }) => index.klv).filter(({ clock }) => clock.records > 0);
  const clocks = surveys.map(({ clock }) => clock);
  const sum = (pick: (clock: (typeof clocks)[number]) => number) => clocks.reduce((all, clock) => all + pick(clock), 0);
  const gaps = files.flatMap(({ index, timebase }) =>
    index.klv.clock.places
      .filter((place) => place.kind === 'gap' && place.timeUs !== null)
      .map((place) => ({ time: Number(place.timeUs) * timebase.klvUnitUs, seconds: (place.stepUs ?? 0) / 1e6 })),
  );
  const distrusted = surveys.find(({ clock }) => !clock.trustworthy);
  return {
    trustworthy: clocks.length > 0 && distrusted === undefined,
    reason: clocks.length === 0 ? 'There is no telemetry.' : distrusted ? reasonOf(distrusted) : null,
    millisecondsByMistake: sum((clock) => clock.milliseconds),
    duplicates: sum((clock) => clock.duplicates),
    backwards: sum((clock) => clock.backwards),
    gaps,
    jumps: files.flatMap(jumpsOf),
    wrong: files.flatMap(wrongOf),
    readings: files.flatMap(readingOf),
  };
}

function reasonOf({ clock, faults }: ArrangedFile['index']['klv']): string {
  if (clock.missing === clock.records) {
    return isTimeFault(faults, TIME_FAULTS.tooLate)
      ? 'The time stamps lie after the year 9999.'
      : 'No set has a time stamp.';
  }
  if (clock.outOfRange > 0) {
    return counted(clock.outOfRange, [
      'One time stamp lies before 1990 or in the future.',
      'time stamps lie before 1990 or in the future.',
    ]);
  }
  if (clock.backwards > 0) return `The time stamps go back ${often(clock.backwards)}.`;
  if (clock.drifts > 0) return `The time stamps do not keep pace with the video (${often(clock.drifts)}).`;
  return 'The time stamps do not rise with the video.';
}

/**
 * Returns the jumps of PTS from run to run. A run also begins when the video moves to another PID, often without a
 * jump.
 */
function jumpsOf(file: ArrangedFile): KlvHealth['clock']['jumps'] {
  return file.runs.slice(1).flatMap((run, index) => {
    const before = file.runs[index]!;
    const isMove = file.index.moves?.some((move) => move.run === run.run) ?? false;
    if (isMove && Math.abs(run.firstTicks - before.endTicks) < TICKS_PER_SECOND) return [];
    const anchor = file.timebase.runs.find((one) => one.run === run.run)?.anchors[0];
    const ticks = run.firstTicks - before.endTicks;
    return [{ time: anchor ? Math.round(anchor[1]) : null, seconds: Math.round(ticks / 90) / 1000 }];
  });
}

/** Returns the parts in which the clock is wrong, each with its time and the size of the error. */
function wrongOf({ index, timebase }: ArrangedFile): NonNullable<KlvHealth['clock']['wrong']> {
  if (timebase.clock !== 'klv') return [];
  return (index.klv.line?.wrong ?? []).flatMap(({ run, firstTicks, lastTicks, sets, byUs }) => {
    const time = utcOfPts(timebase, run, firstTicks);
    if (Number.isNaN(time)) return [];
    const bySeconds = byUs === null ? null : byUs / 1e6;
    return [{ time: Math.round(time), seconds: (lastTicks - firstTicks) / TICKS_PER_SECOND, sets, bySeconds }];
  });
}

function readingOf({ id, name, index, timebase, reading }: ArrangedFile): NonNullable<KlvHealth['clock']['readings']> {
  const otherUs = index.klv.line?.otherUs ?? null;
  if (timebase.clock !== 'klv' || otherUs === null) return [];
  return [{ fileId: id, name, otherSeconds: otherUs / 1e6, isOther: reading?.clock === 'other' }];
}

const isTimeFault = (faults: KlvHealth['faults'], fault: string): boolean =>
  faults.some((one) => one.tag === TIME_TAG && one.fault === fault);

export function clockFindings({ clock, sets, faults }: KlvHealth, files: readonly ArrangedFile[]): Finding[] {
  if (sets === 0) return clock.jumps.map(jumpText);
  const findings: Finding[] = [];
  if (!clock.trustworthy) {
    findings.push({ severity: 'error', text: `The telemetry clock is not used: ${clock.reason}` });
  }
  for (const file of files.filter(({ timebase }) => timebase.clock === 'klv')) findings.push(...faultFindings(file));
  if (clock.millisecondsByMistake > 0) {
    const text = counted(clock.millisecondsByMistake, [
      'One time stamp is milliseconds by mistake; it is read as such.',
      'time stamps are milliseconds by mistake; they are read as such.',
    ]);
    findings.push({ severity: 'warning', text });
  }
  if (isTimeFault(faults, TIME_FAULTS.nanoseconds)) {
    const text = 'The time stamps are nanoseconds, where the standard has microseconds; they are read as such.';
    findings.push({ severity: 'warning', text });
  }
  if (clock.duplicates > 0) {
    const text = counted(clock.duplicates, [
      'One set repeats the time stamp of the set before.',
      'sets repeat the time stamp of the set before.',
    ]);
    findings.push({ severity: 'warning', text });
  }
  return [...findings, ...gapFindings(clock.gaps), ...clock.jumps.map(jumpText)];
}

const jumpText = ({ seconds }: { seconds: number }): Finding => ({
  severity: 'warning',
  text: `The clock of the video jumps ${seconds < 0 ? 'back' : 'ahead'} by ${Math.abs(seconds).toFixed(1)} s.`,
});

/** Describes steps, frozen and swapped times, and impossible times: their effects, and where they are. */
function faultFindings(file: ArrangedFile): Finding[] {
  const { name, index } = file;
  const { clock, line } = index.klv;
  const texts: string[] = [];
  if (clock.backwards > 0) {
    const [first] = clock.places.filter(({ kind }) => kind === 'backwards');
    const by = first?.stepUs ? `, ${clock.backwards === 1 ? '' : 'first '}by ${secondsText(first.stepUs / 1e6)}` : '';
    texts.push(`the time stamps go back ${often(clock.backwards)}${by}.`);
  }
  if (clock.outOfRange > 0) {
    texts.push(
      `${counted(clock.outOfRange, ['one time stamp lies', 'time stamps lie'])} before 1990 or in the future; the video dates these sets.`,
    );
  }
  const wrong = line?.wrong ?? [];
  for (const fault of wrong.slice(0, FAULTS_REPORTED)) texts.push(faultText(file, fault));
  const more = wrong.length - FAULTS_REPORTED;
  if (more > 0) {
    const at = more === 1 ? 'at one more place' : `at ${more} more places`;
    texts.push(`the telemetry clock is wrong ${at}: the video dates ${line!.wrongSets} sets in all.`);
  }
  if (line && line.otherUs !== null) {
    const side = line.otherUs < 0 ? 'earlier' : 'later';
    const other = `all of it is ${secondsText(line.otherUs / 1e6)} ${side}`;
    const used =
      file.reading?.clock === 'other'
        ? `The later stretch is used, as somebody chose: ${other}`
        : `The earlier stretch is used (assumed); by the other, ${other}`;
    texts.push(`two readings of its telemetry clock are equally good. ${used}.`);
  }
  return texts.map((text) => ({ severity: 'warning', text: `${name}: ${text}` }));
}

function faultText({ runs }: ArrangedFile, { run, firstTicks, lastTicks, sets, byUs }: ClockFault): string {
  const before = runs.slice(
    0,
    Math.max(
      0,
      runs.findIndex((one) => one.run === run),
    ),
  );
  const own = runs.find((one) => one.run === run);
  const sinceTicks = before.reduce((sum, one) => sum + one.endTicks - one.firstTicks, 0);
  const place = (ticks: number) =>
    durationText(Math.max(0, sinceTicks + ticks - (own?.firstTicks ?? ticks)) / TICKS_PER_SECOND);
  const where =
    firstTicks === lastTicks ? `at ${place(firstTicks)}` : `from ${place(firstTicks)} to ${place(lastTicks)}`;
  const how = byUs === null ? 'does not go on' : `is ${secondsText(byUs / 1e6)} ${byUs < 0 ? 'slow' : 'fast'}`;
  return `the telemetry clock ${how} ${where}; the video dates ${sets === 1 ? 'this set' : `these ${sets} sets`}.`;
}

/** Formats a duration, with more digits if it is short. */
const secondsText = (seconds: number): string =>
  Math.abs(seconds) < 1 ? `${Math.abs(seconds).toFixed(3)} s` : durationText(Math.abs(seconds));
