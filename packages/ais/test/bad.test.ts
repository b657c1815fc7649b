import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { createAisReader } from '../src/index.ts';

type Outcome = { messages: number; mmsis: number[]; times: (number | null)[]; faults: Record<string, number> };

/** Reads a file in pieces of `step` bytes. */
function read(name: string, step = 1000): Outcome {
  const bytes = readFileSync(testData(`bad/ais/${name}`));
  const outcome: Outcome = { messages: 0, mmsis: [], times: [], faults: {} };
  const reader = createAisReader({
    onMessage(message, origin) {
      outcome.messages++;
      outcome.mmsis.push(message.mmsi);
      outcome.times.push(origin.timeUs);
    },
    onFault({ kind }) {
      outcome.faults[kind] = (outcome.faults[kind] ?? 0) + 1;
    },
  });
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step));
  reader.end();
  return outcome;
}

const SHIP = 371798000;

itWithData('a good sentence is one target, wherever the stream is cut', () => {
  for (const step of [1, 7, 48, 1000]) expect(read('good.nmea', step)).toMatchObject({ mmsis: [SHIP], faults: {} });
});

itWithData('a sentence with a wrong checksum is counted and moves no target', () => {
  expect(read('checksum_bad.nmea')).toMatchObject({ messages: 0, faults: { checksum: 1 } });
});

itWithData('a sentence without checksum is used and counted', () => {
  expect(read('no_checksum.nmea')).toMatchObject({ mmsis: [SHIP], faults: { noChecksum: 1 } });
});

itWithData('the time of a tag block with a wrong checksum is not believed', () => {
  expect(read('tag_block_bad.nmea')).toMatchObject({ mmsis: [SHIP], times: [null], faults: { tagBlock: 1 } });
});

itWithData('an empty channel and channels 1, 2 and B are taken', () => {
  expect(read('channel_empty_and_digits.nmea')).toMatchObject({ messages: 4, faults: {} });
});

itWithData('parts without their others are dropped and counted', () => {
  expect(read('orphan_fragments.nmea')).toMatchObject({
    messages: 0,
    faults: { orphanPart: 1, unfinished: 1, form: 1 },
  });
});

itWithData('a line without end is dropped once', () => {
  expect(read('endless_line.nmea')).toMatchObject({ messages: 0, faults: { lineTooLong: 1 } });
});

itWithData('the good sentence after 20 kB of noise is found', () => {
  expect(read('binary_noise.nmea').mmsis).toEqual([SHIP]);
});

itWithData('characters outside the armour, an empty payload and nine fill bits give no target', () => {
  expect(read('not_sixbit.nmea')).toMatchObject({ messages: 0, faults: { sixBit: 1, form: 2 } });
});

itWithData('times in the year 5138, before 1970, and given twice are not believed', () => {
  expect(read('time_far.nmea')).toMatchObject({ times: [null, null, null], faults: { tagTime: 3 } });
});

itWithData('two sentences without a line break are two', () => {
  expect(read('two_on_a_line.nmea')).toMatchObject({ mmsis: [SHIP, SHIP], faults: {} });
});
