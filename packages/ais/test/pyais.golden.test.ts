import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itWithData } from '../../../tools/test-support/test-data.ts';
import { compareAll, type Found, keysOf, readAll } from './compare-all.ts';
import { differences, summary } from './peer-table.ts';
import { forPyais, pyaisRows } from './pyais-table.ts';

type Peer = Record<string, unknown> & { msg_type: number; mmsi: number };

/** Made by pyais 3.3.1: up to twelve messages of each type and application in each file, in their order. */
const GOLDEN = JSON.parse(readFileSync(new URL('golden/pyais.json', import.meta.url), 'utf8')) as Record<
  string,
  Peer[]
>;

/** Spare bits, the halves of a name that `full_name` has in whole, sub-areas as bytes. */
const IGNORED: ReadonlySet<string> = new Set(['reserved', 'reserved_1', 'reserved_2', 'name', 'name_ext', 'area_data']);

const NO_TIME = 'year 0, hour 24 or more, minute 60 are "not available"; no time';
const NO_PLACE = 'out of range; no place';

/** Where pyais differs, by type and field. Paragraphs are those of ITU-R M.1371-5, Annex 8. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) => [`4 ${name}`, `§ 3.2: ${NO_TIME}`]),
  ),
  ...Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) => [`11 ${name}`, `§ 3.2: ${NO_TIME}`]),
  ),
  '2 heading': '§ 3.1: degrees from 0 to 359',
  '2 lat': `§ 3.1: ${NO_PLACE}`,
  '2 lon': `§ 3.1: ${NO_PLACE}`,
  '9 lat': `§ 3.7: ${NO_PLACE}`,
  '9 lon': `§ 3.7: ${NO_PLACE}`,
  '27 lat': `§ 3.25: ${NO_PLACE}`,
  '27 lon': `§ 3.25: ${NO_PLACE}`,
  '5 hour': '§ 3.3: month 0 and day 0 are "not available", whatever hour and minute say',
  '5 minute': 'the same',
  '14 text': '§ 3.12: pyais makes a character of the two bits that are left',
  '15 offset1_2': '§ 3.13: of a message cut to 104 bits, pyais reads a part of the offset',
  '15 type1_2': 'the same',
  '17 lat': "§ 3.15: two's complement; pyais reads it without a sign",
  '17 lon': 'the same',
  '20 offset3': '§ 3.18: pyais reads the part of a reservation that is left',
  ...Object.fromEntries(
    ['offset', 'number', 'timeout', 'increment'].map((name) => [`20 ${name}4`, '§ 3.18: no slots is no reservation']),
  ),
  '23 station_type': '§ 3.21: types 6 to 9 are for regional use; pyais gives 6 for all',
  '25 data': '§ 3.23: two spare bits follow a destination',
  '26 app_id': '§ 3.24: two spare bits follow a destination',
  '26 data': '§ 3.24: the same, and four spare bits before the communication state',
  '26 radio': '§ 3.24: pyais does not separate the communication state',
};

function compareFile(file: string): Found {
  return compareAll(
    GOLDEN[file]!,
    readAll(file),
    (peer) => peer.msg_type,
    (peer, message) => {
      const rows = pyaisRows(peer.msg_type, peer.dac, peer.fid);
      return differences(peer, forPyais(message), rows, { ignored: IGNORED, tolerance: 6e-5 });
    },
  );
}

describe('pyais', () => {
  for (const file of Object.keys(GOLDEN)) {
    itWithData(`${file}: every field of every message is the same, but for the listed ones`, () => {
      const { missing, found } = compareFile(file);
      const unexpected = found.filter(({ type, field }) => !(`${type} ${field}` in EXCEPTIONS));
      expect({ missing, unexpected: summary(unexpected) }).toEqual({ missing: [], unexpected: [] });
    });
  }

  itWithData('every listed exception occurs', () => {
    const found = Object.keys(GOLDEN).flatMap((file) => compareFile(file).found);
    expect(keysOf(found)).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
