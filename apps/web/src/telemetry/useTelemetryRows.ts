import { useCallback, useEffect, useRef, useState } from 'react';
import { fill, formatCount, formatNumber, NONE } from '../base/format.ts';
import { useUnits } from '../base/units.ts';
import type { ShownFrame } from '../onscreen/frames.ts';
import { setText } from '../onscreen/set-text.ts';
import type { TelemetryRecord, TelemetryStore } from '../onscreen/telemetry-store.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { newestSet } from './newest-set.ts';
import { texts } from './texts.ts';
import { copyText, type Near, showValue } from './values.ts';

/** The text nodes of one row. */
type RowNodes = { value: HTMLElement; unit: HTMLElement; age: HTMLElement };

/** Minimum age that is shown, in microseconds. A value that comes with each record is never older. */
const AGE_SAID_US = 1_500_000;

/** Time over which the rate is measured, in microseconds. */
const RATE_US = 5_000_000;
/** Ages below this count as current, in seconds. */
const MIN_AGE_S = 0.005;

type PanelState = 'loading' | 'failed' | 'none' | 'noneGood' | 'shown';

/**
 * Returns the existing items as state. Their values are written into the rows' text nodes with each frame, without
 * React.
 */
export function useTelemetryRows(sensorId: string, { ages }: { ages: boolean }) {
  const { frames, stores } = useViewServices();
  const units = useUnits();
  const [tags, setTags] = useState<readonly string[]>([]);
  const [state, setState] = useState<PanelState>('loading');
  const rows = useRef(new Map<string, RowNodes>());
  const panel = useRef<HTMLElement>(null);
  const foot = useRef<HTMLSpanElement>(null);
  const failed = useRef<HTMLSpanElement>(null);
  const drawn = useRef<ShownRecord | null>(null);

  const draw = useCallback(
    (frame: ShownFrame) => {
      const store = stores.get(sensorId);
      panel.current?.setAttribute('data-record-time-us', String(frame.record?.timeUs ?? ''));
      drawFailed(failed.current, frame, store);
      const { record, timeUs } = frame;
      if (!record || !store) {
        // The rows still show another moment, so their values are cleared.
        drawn.current = null;
        for (const nodes of rows.current.values()) clearRow(nodes);
        setText(foot.current, rows.current.size > 0 ? texts[stateWithoutRecord(frame, store)] : '');
        return;
      }
      drawn.current = { record, timeUs };
      for (const [tag, nodes] of rows.current) drawRow(nodes, tag, drawn.current, { store, ages });
      setText(foot.current, footText(frame, store));
    },
    [sensorId, stores, ages],
  );

  useEffect(() => {
    let page: unknown = null;
    let lastState: PanelState = 'loading';
    const showState = (next: PanelState) => {
      if (next !== lastState) setState(next);
      lastState = next;
    };
    setState('loading');
    return frames.subscribe((frame) => {
      if (frame.sensorId !== sensorId) return;
      const store = stores.get(sensorId);
      showState(stateOf(frame, store));
      if (frame.record && frame.record.page !== page) {
        page = frame.record.page;
        const present = presentTags(frame.record);
        setTags((before) => (before.join() === present.join() ? before : present));
      }
      draw(frame);
    });
  }, [frames, stores, sensorId, draw]);

  useEffect(() => {
    const latest = frames.latest(sensorId);
    // Redraws the values if the units change, since the picture may be paused.
    if (latest && units) draw(latest);
  }, [units, frames, sensorId, draw]);

  /** Called by each row with its nodes while it is mounted. */
  const register = useCallback(
    (tag: string, nodes: RowNodes | null) => {
      if (!nodes) return void rows.current.delete(tag);
      rows.current.set(tag, nodes);
      const store = stores.get(sensorId);
      if (drawn.current && store) drawRow(nodes, tag, drawn.current, { store, ages });
      else clearRow(nodes);
    },
    [sensorId, stores, ages],
  );

  const copyNow = useCallback(
    (tag: string) => {
      const record = frames.latest(sensorId)?.record;
      const store = stores.get(sensorId);
      if (!record || !store) return copyText(tag, null);
      return copyText(tag, store.lastKnown(record, tag)?.value ?? null, nearOf(record, store));
    },
    [frames, stores, sensorId],
  );

  return { tags, state, panel, foot, failed, register, copyNow };
}

function stateOf(frame: ShownFrame, store: TelemetryStore | undefined): PanelState {
  return frame.record ? 'shown' : stateWithoutRecord(frame, store);
}

function stateWithoutRecord(frame: ShownFrame, store: TelemetryStore | undefined): Exclude<PanelState, 'shown'> {
  const { timeUs } = frame;
  if (store?.hasFailed(timeUs)) return 'failed';
  if (store?.isLoading(timeUs)) return 'loading';
  return newestSet(frame, store) ? 'noneGood' : 'none';
}

const presentTags = ({ page }: TelemetryRecord): string[] =>
  Object.keys(page.tags).filter((tag) => page.tags[tag]?.some((value) => value !== null));

type ShownRecord = Pick<ShownFrame, 'timeUs'> & { record: TelemetryRecord };

const nearOf = (record: TelemetryRecord, store: TelemetryStore): Near => ({
  timeUs: record.timeUs,
  numberOf(tag) {
    const value = store.lastKnown(record, tag)?.value;
    return typeof value === 'number' ? value : null;
  },
});

function drawRow(
  { value, unit, age }: RowNodes,
  tag: string,
  { record, timeUs }: ShownRecord,
  { store, ages }: { store: TelemetryStore; ages: boolean },
) {
  const known = store.lastKnown(record, tag);
  const shown = showValue(tag, known?.value ?? null, nearOf(record, store));
  setText(value, shown.text);
  setText(unit, shown.unit);
  const ageUs = known ? Math.max(0, timeUs - known.timeUs) : null;
  const isOld = ageUs !== null && ageUs > AGE_SAID_US;
  age.toggleAttribute('data-old', isOld);
  setText(age, ageUs === null || !(ages || isOld) ? '' : ageText(ageUs, ages));
}

function clearRow({ value, unit, age }: RowNodes) {
  setText(value, NONE);
  setText(unit, '');
  setText(age, '');
  age.removeAttribute('data-old');
}

/**
 * Formats an age with tenths of a second below ten seconds, else in whole seconds. It is no more precise, so that it
 * changes with the sets and not with each picture.
 */
function ageText(ageUs: number, ages: boolean): string {
  const seconds = formatNumber(ageUs / 1e6, ages && ageUs < 10_000_000 ? 1 : 0);
  return fill(ages ? texts.shortAge : texts.age, { seconds });
}

/** Shows sets with a wrong checksum: that of this picture, else the number in the last seconds. */
function drawFailed(element: HTMLElement | null, frame: ShownFrame, store: TelemetryStore | undefined): void {
  if (!element) return;
  const isNow = newestSet(frame, store)?.failed === true;
  const count = store?.recorded?.failedBetween(frame.timeUs - RATE_US + 1, frame.timeUs).length ?? 0;
  element.hidden = count === 0 && !isNow;
  if (element.hidden) return;
  setText(element.lastElementChild as HTMLElement, isNow ? texts.failedNow : fill(texts.failedLately, { count }));
  element.title = isNow ? texts.failedNowHint : formatCount(count, texts.failedLatelyHint);
}

function footText({ record, timeUs, targets }: ShownFrame, store: TelemetryStore): string {
  if (!record) return '';
  const perSecond = setsPerSecond(record, store);
  const rate =
    perSecond === null ? '' : `${fill(texts.rate, { rate: formatNumber(perSecond, perSecond < 9.95 ? 1 : 0) })}, `;
  const age = packetAge(Math.max(0, timeUs - record.timeUs), perSecond);
  const seen = targets.length > 0 ? `, ${formatCount(targets.length, texts.targets)}` : '';
  return `${rate}${age}${seen}`;
}

/** Formats the age of a packet. It is current until the next one is due at the measured rate. */
function packetAge(ageUs: number, perSecond: number | null): string {
  const seconds = ageUs / 1e6;
  const isCurrent = perSecond === null ? seconds < MIN_AGE_S : seconds * perSecond < 1 + MIN_AGE_S;
  return isCurrent ? texts.current : fill(texts.age, { seconds: formatNumber(seconds, 2) });
}

/**
 * Returns the rate over the seconds up to this set, or over a shorter time if telemetry has just begun. Null for a
 * single set.
 */
function setsPerSecond({ timeUs }: TelemetryRecord, store: TelemetryStore): number | null {
  const sinceUs = timeUs - RATE_US;
  if (store.recordAt(sinceUs)) {
    let count = 0;
    for (const _ of store.between(sinceUs + 1, timeUs)) count += 1;
    return count / (RATE_US / 1e6);
  }
  const [first] = store.between(sinceUs + 1, timeUs);
  if (!first) return null;
  let [count, lastUs] = [0, first.timeUs];
  for (const next of store.between(first.timeUs, first.timeUs + RATE_US)) {
    count += 1;
    lastUs = next.timeUs;
  }
  return lastUs > first.timeUs ? ((count - 1) * 1e6) / (lastUs - first.timeUs) : null;
}
