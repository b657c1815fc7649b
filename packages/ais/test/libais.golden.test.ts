import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { createAisReader } from '../src/index.ts';
import { compareAll, type Found, keysOf, readAll } from './compare-all.ts';
import { forLibais, libaisRows, peerAreasText } from './libais-table.ts';
import { differences, summary } from './peer-table.ts';

type Peer = Record<string, unknown> & { type: number; mmsi: number };

/**
 * Not compared: texts for numbers, spare bits, fields of the tag block (compared below), and a sequence that occurs
 * twice.
 */
const isLeft = (name: string) =>
  /_text$|_str$|spare|^tagblock|^(class|device|scaled|msg_seq|ack_required)$/.test(name) || name === 'msg_2';

/** Where libais differs, by type and field. Paragraphs are those of ITU-R M.1371-5, Annex 8. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '2 heading': '§ 3.1: degrees from 0 to 359',
  '2 lat': '§ 3.1: out of range; no place',
  '2 lon': '§ 3.1: out of range; no place',
  '2 turn': '§ 3.1: we round the rate to hundredths',
  '4 timestamp': '§ 3.2: year 0, hour 24, minute 60 are "not available"; no time',
  '11 timestamp': '§ 3.2: hour 26 is impossible; no time',
  '6 retransmit': '§ 3.4: 1 is retransmitted; libais has it the other way round',
  '6 text': 'DAC 1, FI 0 is not decoded',
  '8 duration_minutes': 'SN.1/Circ.289, table 11.3: libais gives the minute of the start',
  '9 lat': '§ 3.7: out of range; no place',
  '9 lon': '§ 3.7: out of range; no place',
  '9 speed': '§ 3.7: whole knots; libais divides by ten',
  '15 offset1_2': '§ 3.13: of a message cut to 104 bits, libais reads a part of the offset',
  '15 type1_2': 'the same',
  '15 offset2_2': 'a field that the message does not have',
  '15 slot_offset_2': 'the same',
  '15 type2_2': 'the same',
  '21 name': 'Table 47: values 31 and 39 are _ and an apostrophe',
  '26 dac': '§ 3.24: two spare bits follow a destination',
  '26 fid': '§ 3.24: two spare bits follow a destination',
  '27 gnss': '§ 3.25: 1 is late; libais says whether it is the current position',
  '27 lat': '§ 3.25: out of range; no place',
  '27 lon': '§ 3.25: out of range; no place',
};

function peersOf(file: string): Peer[] {
  const lines = readFileSync(testData(`ais/libais/${file}`), 'utf8').split('\n');
  const peers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Peer);
  return peers.map((peer) => ({
    ...peer,
    ...(Array.isArray(peer.sub_areas) && { sub_areas: peerAreasText(peer.sub_areas) }),
  }));
}

function compareFile(name: string): Found {
  return compareAll(
    peersOf(`${name}.json`),
    readAll(`libais/${name}.nmea`),
    (peer) => peer.type,
    (peer, message) => {
      const rows = libaisRows(peer.type, peer.dac, peer.fid);
      const ignored = new Set(
        Object.keys(peer).filter((field) => isLeft(field) || (name === 'tagblock' && field === 'timestamp')),
      );
      // libais keeps 32-bit floats.
      return differences(peer, forLibais(message), rows, { ignored, tolerance: 6e-5 });
    },
  );
}

describe('libais', () => {
  for (const name of ['typeexamples', 'tagblock']) {
    itWithData(`${name}: every field of every message is the same, but for the listed ones`, () => {
      const { missing, found } = compareFile(name);
      const unexpected = found.filter(({ type, field }) => !(`${type} ${field}` in EXCEPTIONS));
      expect({ missing, unexpected: summary(unexpected) }).toEqual({ missing: [], unexpected: [] });
    });
  }

  itWithData('every listed exception occurs', () => {
    const found = ['typeexamples', 'tagblock'].flatMap((name) => compareFile(name).found);
    expect(keysOf(found)).toEqual(Object.keys(EXCEPTIONS).sort());
  });

  itWithData('source and time of the tag blocks are the same, those of a group too', () => {
    const ours = new Map<string, unknown>();
    const reader = createAisReader({
      onMessage({ type, mmsi }, { source, timeUs, timeFrom }) {
        const time = new Date(timeUs! / 1000).toISOString().replace('.000Z', '.000000Z');
        ours.set(`${type} ${mmsi} ${time}`, { source, timeFrom });
      },
    });
    reader.push(readFileSync(testData('ais/libais/tagblock.nmea')));
    reader.end();
    const peers = peersOf('tagblock.json');
    const keys = peers.map(({ type, mmsi, tagblock_timestamp, tagblock_station }) => [
      `${type} ${mmsi} ${tagblock_timestamp}`,
      { source: tagblock_station, timeFrom: 'tagBlock' },
    ]);
    expect(peers).toHaveLength(4);
    expect([...ours].sort()).toEqual(keys.sort());
  });
});
