import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../tools/test-support/test-data.ts';
import { type AisMessage, createAisReader } from '../src/index.ts';
import { forGpsd, GPSD_IGNORED, gpsdRows } from './gpsd-table.ts';
import { type Difference, differences, summary } from './peer-table.ts';

type Peer = Record<string, unknown> & { type: number; mmsi: number; scaled: boolean };
type Found = { messages: number; missing: string[]; found: (Difference & { type: number })[] };

const isWord = (name: string) => name.endsWith('_text');

/** Fields of applications that we do not decode: the data are compared as they are. */
const OTHER_APPLICATIONS: ReadonlySet<string> = new Set(['235 10', '1 12', '1 14', '1 16', '1 18', '1 32', '200 55']);
const HEAD: ReadonlySet<string> = new Set(['type', 'repeat', 'mmsi', 'seqno', 'dest_mmsi', 'retransmit', 'dac', 'fid']);

/** Messages after the last one that was found, among which the next is looked for: gpsd leaves some out. */
const REACH = 12;

/** Compares gpsd's messages with ours of the same type and station, in their order. */
function compare(peers: Peer[], ours: AisMessage[]): Found {
  const result: Found = { messages: 0, missing: [], found: [] };
  let next = 0;
  for (const peer of peers) {
    const candidates = ours
      .map((message, at) => ({ message, at }))
      .filter(({ message, at }) => at >= next && message.type === peer.type && message.mmsi === peer.mmsi)
      .slice(0, REACH)
      .map(({ at }) => ({
        at,
        found: differencesOf(peer, peer.type === 24 ? bothParts(ours, at) : forGpsd(ours[at]!)),
      }));
    const best = candidates.sort((a, b) => a.found.length - b.found.length || a.at - b.at)[0];
    if (best === undefined) {
      result.missing.push(`${peer.type} ${peer.mmsi}`);
      continue;
    }
    next = best.at + (peer.type === 24 ? 0 : 1);
    result.messages++;
    result.found.push(...best.found.map((difference) => ({ ...difference, type: peer.type })));
  }
  return result;
}

function differencesOf(peer: Peer, message: object): Difference[] {
  const isOther = OTHER_APPLICATIONS.has(`${peer.dac} ${peer.fid}`);
  const left = Object.keys(peer).filter((name) => isWord(name) || (isOther && !HEAD.has(name)));
  const rows = gpsdRows(peer.type, peer.scaled, peer.dac, peer.fid);
  const ignored = new Set([...GPSD_IGNORED, ...left]);
  return differences(peer, message, rows, { ignored, tolerance: peer.scaled ? 6e-5 : 0.01 });
}

/** gpsd gives both parts of message 24 as one message: the last of each before it is whole. */
function bothParts(ours: AisMessage[], at: number): object {
  const { mmsi } = ours[at]!;
  const parts = ours.slice(0, at + 60).filter((message) => message.type === 24 && message.mmsi === mmsi);
  return Object.assign({}, ...parts.map(forGpsd));
}

function readAll(bytes: Uint8Array): AisMessage[] {
  const messages: AisMessage[] = [];
  const reader = createAisReader({ onMessage: (message) => messages.push(message) });
  reader.push(bytes);
  reader.end();
  return messages;
}

function compareFile(log: string): Found {
  const lines = readFileSync(testData(`ais/gpsd/${log}.chk`), 'utf8').split('\n');
  const reports = lines.filter((line) => line.startsWith('{"class":"AIS"'));
  // A daemon repeats its last report when another instrument speaks.
  const peers = reports.filter((line, at) => line !== reports[at - 1]).map((line) => JSON.parse(line) as Peer);
  return compare(peers, readAll(readFileSync(testData(`ais/gpsd/${log.replace(/\.j[su]$/, '')}`))));
}

/** Where gpsd differs on purpose, by type and field. Paragraphs are those of ITU-R M.1371-5, Annex 8. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '1 radio': '§ 3.1: 19 bits; of a message cut to 163, gpsd reads the 14 that are left',
  '4 lat': '§ 3.2: 109 degrees are out of range; no place',
  '4 lon': '§ 3.2: 205 degrees are out of range; no place',
  '4 timestamp':
    '§ 3.2: year 0, hour 24, minute 60 are "not available", month 0 in the year 10196 is impossible; no time',
  '5 eta': '§ 3.3: month 0 and day 0 are "not available", whatever hour and minute say',
  '7 mmsi3': '§ 3.5: 128 bits hold two acknowledgements; gpsd makes a third of the 24 that are left',
  '8 humidity': 'SN.1/Circ.289, table 1.1: 101 is "not available", what is above is reserved',
  '8 cdir2': 'SN.1/Circ.289, table 1.1: 360 is "not available", what is above is reserved',
  '8 cdir3': 'the same',
  '8 swelldir': 'the same',
  '8 wgustdir': 'the same',
  '8 seastate': 'SN.1/Circ.289, table 1.1: 13 is "not available", what is above is reserved',
  '8 salinity': 'SN.1/Circ.289, table 1.1: 511 is "sensor not available"',
  '8 ice': 'gpsd writes N/A',
  '8 preciptype': 'gpsd writes N/A',
  '18 heading': '§ 3.16: degrees from 0 to 359',
  '25 data': '§ 3.23: two spare bits follow a destination',
  '26 app_id': '§ 3.24: two spare bits follow a destination',
  '26 data': '§ 3.24: two spare bits follow a destination, four come before the communication state',
  '26 radio': '§ 3.24: the communication state is the last 20 bits',
};

/** Messages that gpsd gives for each log. */
const LOGS: Readonly<Record<string, number>> = {
  'sample.aivdm.js': 96,
  'sample.aivdm.ju': 96,
  'ais-nmea-type6-fid55.log': 1259,
  'ais-18-27.log': 138,
  'ais-raw-messages.log': 108,
  'ais-nmea.log': 166,
  'ais_unpack_sixbit.log': 12,
};

describe('gpsd', () => {
  for (const [log, count] of Object.entries(LOGS)) {
    itWithData(`${log}: every field of every message is the same, but for the listed ones`, () => {
      const { messages, missing, found } = compareFile(log);
      const unexpected = found.filter(({ type, field }) => !(`${type} ${field}` in EXCEPTIONS));
      expect({ missing, unexpected: summary(unexpected) }).toEqual({ missing: [], unexpected: [] });
      expect(messages).toBe(count);
    });
  }

  itWithData('every listed exception occurs', () => {
    const found = Object.keys(LOGS).flatMap((log) => compareFile(log).found);
    expect([...new Set(found.map(({ type, field }) => `${type} ${field}`))].sort()).toEqual(
      Object.keys(EXCEPTIONS).sort(),
    );
  });
});
