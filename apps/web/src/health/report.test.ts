// @vitest-environment jsdom
import type { KlvHealth } from '@osprey/contract';
import { expect, it } from 'vitest';
import { footprintReason, furthest, reportText, shareOf, usualRate } from './report.ts';

const item = (tag: number) => ({ tag, name: `Item ${tag}`, unit: '°', sets: 5, first: 1, last: 2, min: 1, max: 2 });

function health(fields: Partial<KlvHealth> = {}): KlvHealth {
  return {
    sensor: '00000000-0000-4000-8000-000000000001',
    findings: [],
    streams: [],
    sets: 5,
    sidecars: [],
    ratePerSecond: 10,
    checksum: { good: 4, bad: 1, missing: 0 },
    missing: [],
    clock: {
      trustworthy: true,
      reason: null,
      millisecondsByMistake: 0,
      duplicates: 0,
      backwards: 0,
      gaps: [],
      jumps: [],
    },
    latencyMs: { median: 12, p95: 40, max: 60 },
    course: null,
    tags: [],
    faults: [],
    transport: {},
    ...fields,
  };
}

const tags = (...numbers: number[]) => ({ tags: numbers.map(item) });

it('says from what the footprint is drawn', () => {
  expect(footprintReason(health(tags(82, 83, 84, 85, 86, 87, 88, 89)))).toEqual({ source: 'corners' });
  expect(footprintReason(health(tags(23, 24, 26, 27, 28, 29, 30, 31, 32, 33)))).toEqual({ source: 'offsets' });
  expect(footprintReason(health(tags(13, 14, 15, 5, 90, 91, 16, 17, 18, 19)))).toEqual({ source: 'computed' });
});

it('names the items that are wanting for a footprint, and what is drawn without it', () => {
  expect(footprintReason(health(tags(13, 14, 15, 5, 6, 7, 18, 19, 23, 24)))).toEqual({
    source: null,
    missing: [16, 17],
    hasPosition: true,
    hasCentre: true,
  });
});

it('writes a report that can be mailed', () => {
  const text = reportText('EO', health({ findings: [{ severity: 'error', text: '1 set fails.' }], ...tags(13) }));

  expect(text).toContain('EO telemetry');
  expect(text).toContain('- [error] 1 set fails.');
  expect(text).toContain('13\tItem 13\t5\t1°00\'00.00"N\t2°00\'00.00"N');
});

it('calls where sets come in the stream a delay there, and not a difference of clocks', () => {
  const text = reportText('EO', health({ latencyMs: { median: -20, p95: 0, max: 0 } }));

  expect(text).toContain('Metadata 20 ms ahead of the picture');
  expect(text).not.toContain('\u221220 ms');
  expect(reportText('EO', health({ latencyMs: { median: 40, p95: 60, max: 80 } }))).toContain(
    'Metadata 40 ms behind the picture',
  );
  expect(text).not.toContain('Clock against video');
});

it('never claims more than all', () => {
  expect([shareOf(5, 10), shareOf(12, 10), shareOf(0, 0)]).toEqual([0.5, 1, 0]);
});

it('calls usual what is sent while telemetry is there, however long it is away', () => {
  expect(usualRate([0, 0, 0, 0, 0, 10, 10, 9.9, 10, 40])).toBe(10);
  expect([usualRate([0, 0]), usualRate([])]).toEqual([null, null]);
});

it('finds the moment that is furthest from the usual, also below it, and none if nothing is known', () => {
  expect(furthest([10, 20, 30], [9, 10.5, 4], 10)).toEqual({ timeUs: 30, value: 4 });
  expect(furthest([10, 20, 30], [null, -3, 2], 0)).toEqual({ timeUs: 20, value: -3 });
  expect(furthest([10], [null], 0)).toBeNull();
});
