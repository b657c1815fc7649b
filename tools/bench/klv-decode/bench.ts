import { createSt0601Reader } from '@osprey/klv';
import { median } from '../../test-support/statistics.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { ITEMS, makePackets } from './packets.ts';
import { decodePlain } from './plain-decoder.ts';

const PACKETS = 20_000;
const PAIRS = 9;
const TIMES_PLAIN = 3;
const WARM_UP_PAIRS = 3;

/** Decodes 48-item ST 0601 packets completely: our decoder against the plain decoder, alternately on the same bytes. */
export async function bench(): Promise<BenchLine[]> {
  const { bytes, ends } = makePackets(PACKETS);
  const ours: number[] = [];
  const peer: number[] = [];
  for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair++) {
    const oursRate = rateOf(() => readAll(bytes, ends));
    const peerRate = rateOf(() => readAllPlain(bytes, ends));
    if (pair < 0) continue;
    ours.push(oursRate);
    peer.push(peerRate);
  }
  const ratios = ours.map((rate, index) => rate / peer[index]!);
  return [
    {
      name: 'klv-decode',
      unit: 'packets/s',
      ours: Math.round(median(ours)),
      peer: Math.round(median(peer)),
      peerName: 'plain decoder',
      ratio: round(median(ratios)),
      failure: belowGoal(median(ratios), TIMES_PLAIN),
      note: `${ITEMS} items a packet with security set and checksum, ${PAIRS} pairs, median; ratios ${round(Math.min(...ratios))} to ${round(Math.max(...ratios))}`,
    },
  ];
}

/** Decodes every item; the sum prevents the work from being optimised away. */
function readAll(bytes: Uint8Array, ends: readonly number[]): number {
  const reader = createSt0601Reader();
  let start = 0;
  let sum = 0;
  for (const end of ends) {
    const record = reader.read(bytes, start, end);
    sum += record.numbers[13]! + record.texts[3]!.length;
    for (const item of record.nested) if (reader.decodeNested(bytes, item) !== null) sum++;
    if (record.checksum !== 'good') throw new Error('The packets of the bench are not read rightly');
    start = end;
  }
  return sum;
}

function readAllPlain(bytes: Uint8Array, ends: readonly number[]): number {
  let start = 0;
  let sum = 0;
  for (const end of ends) {
    const packet = decodePlain(bytes, start, end);
    sum += packet.items.length;
    if (packet.checksum !== 'good') throw new Error('The packets of the bench are not read rightly');
    start = end;
  }
  return sum;
}

function rateOf(work: () => number): number {
  const before = performance.now();
  if (!Number.isFinite(work())) throw new Error('The bench decoded no number');
  return (PACKETS / (performance.now() - before)) * 1000;
}

const round = (value: number): number => Math.round(value * 100) / 100;
