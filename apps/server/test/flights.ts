import { PACKET_SIZE } from '@osprey/mpegts';
import { expect } from 'vitest';
import { sendPaced } from '../../../tools/test-support/paced-sender.ts';
import { atEnd } from './cleanup.ts';

const TABLES_BYTES = 2 * PACKET_SIZE;
/** Long enough to occur in a flight once. */
const NEEDLE_BYTES = 60 * PACKET_SIZE;

export type Flight = Awaited<ReturnType<typeof fly>>;

/** Sends a flight in real time and remembers when how much of it had left. */
export async function fly(bytes: Buffer, port: number) {
  const sender = await sendPaced({ bytes, port });
  atEnd(() => sender.stop());
  const samples: [atMs: number, bytes: number][] = [];
  const timer = setInterval(() => samples.push([performance.now(), sender.sent().bytes]), 10);
  atEnd(() => clearInterval(timer));
  const sentBy = (atMs: number) => samples.findLast(([at]) => at <= atMs)?.[1] ?? 0;
  const whenSent = (size: number) => samples.find(([, sent]) => sent >= size)?.[0] ?? performance.now();
  return { bytes, sentBy, whenSent, sentBytes: () => sender.sent().bytes, stop: sender.stop };
}

/** Place of a file's bytes in the flight; the tables at its start are left out. */
export function placeOf(flight: Buffer, file: Buffer): { start: number; end: number } {
  for (const body of [file, file.subarray(TABLES_BYTES)]) {
    const start = flight.indexOf(body.subarray(0, NEEDLE_BYTES));
    if (start < 0) continue;
    expect(flight.subarray(start, start + body.length).equals(body)).toBe(true);
    return { start, end: start + body.length };
  }
  throw new Error('The file is not part of what was sent');
}
