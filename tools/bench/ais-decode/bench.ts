import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createAisReader } from '@osprey/ais';
import { median } from '../../test-support/statistics.ts';
import { testData } from '../../test-support/test-data.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { JsonLines } from './json-lines.ts';
import { npmPeers, type Peer } from './peers.ts';

const PAIRS = 7;
const WARM_UP_PAIRS = 3;
const TIMES_NPM = 8;
const TIMES_GPSDECODE = 4;
/**
 * Number of times that our decoder and gpsdecode read the file for one measurement, so that each takes about a second.
 */
const REPEATS = 10;
const CHUNK_BYTES = 64 * 1024;

/** Decodes all fields of real sentences from 2,249 ships: our decoder against JavaScript decoders and gpsdecode. */
export async function bench(): Promise<BenchLine[]> {
  const lines = realSentences();
  const bytes = new TextEncoder().encode(`${lines.join('\r\n')}\r\n`);
  return [againstNpm(bytes, lines), await againstGpsdecode(bytes, lines.length)];
}

/**
 * Returns half a day of sentences from a coastal network, in a form that every decoder accepts: talker AI, channel A or
 * B, and nothing next to the sentence.
 */
function realSentences(): string[] {
  const text = gunzipSync(readFileSync(testData('ais/risky/ais.txt.gz'))).toString('latin1');
  const sentences = text.matchAll(/!..(VD[MO],\d,\d,\d?),([AB12]?),([0-W`-w]+,\d)\*[\dA-F]{2}/g);
  return Array.from(sentences, ([, head, channel, rest]) => {
    const body = `AI${head},${channel === '2' || channel === 'B' ? 'B' : 'A'},${rest}`;
    let sum = 0;
    for (let i = 0; i < body.length; i++) sum ^= body.charCodeAt(i);
    return `!${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

function againstNpm(bytes: Uint8Array, lines: readonly string[]): BenchLine {
  const rates = npmPeers().map((peer) => ({ peer, ours: [] as number[], theirs: [] as number[] }));
  for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
    for (const { peer, ours, theirs } of rates) {
      const [oursRate, theirRate] = [ourRate(bytes, lines.length), peerRate(peer, lines)];
      if (pair < 0) continue;
      ours.push(oursRate);
      theirs.push(theirRate);
    }
  }
  const fastest = rates.reduce((a, b) => (median(b.theirs) > median(a.theirs) ? b : a));
  const ratios = fastest.ours.map((rate, index) => rate / fastest.theirs[index]!);
  const all = rates.map(({ peer, theirs }) => `${peer.name} ${Math.round(median(theirs))}`).join(', ');
  return {
    name: 'ais-decode',
    unit: 'sentences/s',
    ours: Math.round(median(fastest.ours)),
    peer: Math.round(median(fastest.theirs)),
    peerName: fastest.peer.name,
    ratio: rounded(median(ratios)),
    failure: belowGoal(median(ratios), TIMES_NPM),
    note: `${lines.length} sentences, ${PAIRS} pairs, median; all peers: ${all}; ratios ${spread(ratios)}`,
  };
}

function ourRate(bytes: Uint8Array, sentences: number): number {
  let sum = 0;
  let messages = 0;
  const start = performance.now();
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const reader = createAisReader({
      onMessage: () => messages++,
      onPosition: ({ mmsi, radio }) => {
        messages++;
        sum += mmsi + radio;
      },
    });
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) reader.push(bytes.subarray(at, at + CHUNK_BYTES));
    reader.end();
  }
  if (messages < sentences * REPEATS * 0.9 || sum === 0)
    throw new Error('The sentences of the bench are not read rightly');
  return (sentences * REPEATS * 1000) / (performance.now() - start);
}

function peerRate(peer: Peer, lines: readonly string[]): number {
  const start = performance.now();
  if (peer.decode(lines) < lines.length / 2) throw new Error(`${peer.name} does not read the sentences of the bench`);
  return (lines.length * 1000) / (performance.now() - start);
}

async function againstGpsdecode(bytes: Uint8Array, sentences: number): Promise<BenchLine> {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-ais-'));
  const file = join(folder, 'sentences.nmea');
  writeFileSync(file, Buffer.concat(Array.from({ length: REPEATS }, () => bytes)));
  try {
    const ours: number[] = [];
    const peer: number[] = [];
    for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
      const [oursRate, peerRate] = [jsonRate(file, sentences), gpsdecodeRate(file, sentences)];
      if (pair < 0) continue;
      ours.push(oursRate);
      peer.push(peerRate);
    }
    const ratios = ours.map((rate, index) => rate / peer[index]!);
    return {
      name: 'ais-decode, as lines of JSON',
      unit: 'sentences/s',
      ours: Math.round(median(ours)),
      peer: Math.round(median(peer)),
      peerName: 'gpsdecode -j',
      ratio: rounded(median(ratios)),
      failure: belowGoal(median(ratios), TIMES_GPSDECODE),
      note: `${sentences * REPEATS} sentences from a file to /dev/null, ${PAIRS} pairs, median; ratios ${spread(ratios)}`,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads the file and writes every message to /dev/null as a line of JSON. */
function jsonRate(file: string, sentences: number): number {
  const start = performance.now();
  const out = openSync('/dev/null', 'w');
  const json = new JsonLines(1 << 20, (bytes) => writeSync(out, bytes));
  const reader = createAisReader({
    onMessage: (message) => json.message(message),
    onPosition: (report) => json.position(report),
  });
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) reader.push(bytes.subarray(at, at + CHUNK_BYTES));
  reader.end();
  json.flush();
  closeSync(out);
  return (sentences * REPEATS * 1000) / (performance.now() - start);
}

function gpsdecodeRate(file: string, sentences: number): number {
  const input = openSync(file, 'r');
  const output = openSync('/dev/null', 'w');
  const start = performance.now();
  const { error, status } = spawnSync('gpsdecode', ['-j'], { stdio: [input, output, 'ignore'] });
  closeSync(input);
  closeSync(output);
  if (error !== undefined) throw new Error('gpsdecode is missing: install the Debian package gpsd-clients');
  if (status !== 0) throw new Error(`gpsdecode ended with ${status}`);
  return (sentences * REPEATS * 1000) / (performance.now() - start);
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
const spread = (ratios: readonly number[]): string =>
  `${rounded(Math.min(...ratios))} to ${rounded(Math.max(...ratios))}`;
