import { expect, it } from 'vitest';
import { type AisReaderOptions, createAisReader, encodeSentences } from '../src/index.ts';
import { EVERY_TYPE } from './every-type.ts';

const REPORTS = 40_000;
const MEBIBYTE = 1024 * 1024;

const positions = EVERY_TYPE.filter(({ type }) => [1, 2, 3, 9, 18, 27].includes(type));
const lines = positions.map((message) => `${encodeSentences(message)[0]}\r\n`).join('');
const bytes = new TextEncoder().encode(lines.repeat(REPORTS / positions.length));

/** Bytes that the heap grows by while the reports are read; less than nothing if it was collected on the way. */
function grownBytes(options: AisReaderOptions): number {
  const reader = createAisReader(options);
  reader.push(bytes);
  reader.push(bytes);
  const before = process.memoryUsage().heapUsed;
  reader.push(bytes);
  return process.memoryUsage().heapUsed - before;
}

/** The least of some: the heap may be collected, and what else the process does adds to it. */
const least = (options: AisReaderOptions): number =>
  Math.min(...Array.from({ length: 5 }, () => Math.abs(grownBytes(options))));

it('a position report allocates nothing where one record is asked for', () => {
  // A variable would keep each new sum as an object of its own.
  const sum = new Float64Array(1);
  const record = least({
    onMessage() {},
    onPosition(report) {
      sum[0]! += report.latitude + report.altitude;
    },
  });
  const objects = least({ onMessage: (message) => (sum[0]! += message.mmsi) });
  expect(sum[0]).not.toBe(0);
  // A single number of its own would be 16 bytes a report.
  expect(record).toBeLessThan(REPORTS * 8);
  expect(objects).toBeGreaterThan(3 * MEBIBYTE);
});
