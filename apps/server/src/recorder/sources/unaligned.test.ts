import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testData, testDataFolder } from '../../../../../tools/test-support/test-data.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { openedSource } from '../../../test/live-source.ts';
import { pipeline } from '../stream/pipeline.ts';

const PORT = 21_900 + (process.pid % 500);

async function sender() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  atEnd(() => new Promise<void>((done) => socket.close(done)));
  return (bytes: Uint8Array) =>
    new Promise<void>((done, failed) =>
      socket.send(bytes, PORT, '127.0.0.1', (error) => (error ? failed(error) : done())),
    );
}

const datagrams = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, n * size + size));

function inRtp(payloads: readonly Buffer[], payloadType: number, ssrc: number): Buffer[] {
  return payloads.map((payload, n) => {
    const head = Buffer.alloc(12);
    head.set([0x80, payloadType]);
    head.writeUInt16BE((65_500 + n) & 0xffff, 2);
    head.writeUInt32BE(n * 900, 4);
    head.writeUInt32BE(ssrc, 8);
    return Buffer.concat([head, payload]);
  });
}

/** The sets that a recorder finds among packets. */
function setsOf(packets: Buffer): string[] {
  const sets: string[] = [];
  const ignored = () => undefined;
  const reading = pipeline({
    online: ignored,
    unit: ignored,
    packets: ignored,
    klv: ({ bytes }) => sets.push(Buffer.from(bytes).toString('hex')),
    changed: ignored,
  });
  reading.push(packets, 0);
  reading.flush();
  return sets;
}

describe.skipIf(testDataFolder === null)('datagrams that do not end with a packet', () => {
  const flight = () => readFileSync(testData('field/one-swapped-pair.ts'));
  const KINDS = [
    ['bare', 1472, (all: Buffer[]) => all],
    ['bare', 1000, (all: Buffer[]) => all],
    ['RTP', 1460, (all: Buffer[]) => inRtp(all, 33, 7)],
    ['RTP of another type', 1000, (all: Buffer[]) => inRtp(all, 96, 8)],
  ] as const;

  it.each(KINDS)('%s, %d bytes: every set arrives, and nothing is said', async (kind, size, wrap) => {
    const source = await openedSource(`udp://127.0.0.1:${PORT}`);
    const send = await sender();

    for (const bytes of wrap(datagrams(flight(), size))) await send(bytes);

    // With an unannounced type the first datagram is not yet known to be RTP.
    await source.until(flight().length - (kind === 'RTP of another type' ? 188 : 0));
    expect(setsOf(source.bytes())).toHaveLength(75);
    expect(source.problems.filter((text) => text !== null)).toEqual([]);
    expect(source.counts()).toMatchObject({ lost: 0, refused: 0 });
  });

  it.each(KINDS)('%s, %d bytes, each 50th lost: no set arrives that was not sent', async (_kind, size, wrap) => {
    const source = await openedSource(`udp://127.0.0.1:${PORT}`);
    const send = await sender();
    const all = wrap(datagrams(flight(), size));

    for (const [n, bytes] of all.entries()) if (n % 50 !== 49) await send(bytes);

    const lostPackets = (all.length / 50) * (Math.ceil(size / 188) + 2);
    await source.until(flight().length - 188 * lostPackets);
    await source.close();
    const sent = new Set(setsOf(flight()));
    const sets = setsOf(source.bytes());
    expect(sets.filter((set) => !sent.has(set))).toEqual([]);
    expect(sets.length).toBeGreaterThan(60);
    expect(source.counts().lost).toBeGreaterThan(0);
  });

  it('of two senders are kept apart, and a stranger cuts nothing', async () => {
    const source = await openedSource(`udp://127.0.0.1:${PORT}`);
    const [first, second, stranger] = [await sender(), await sender(), await sender()];
    const bytes = flight().subarray(0, 188 * 200);
    const other = Buffer.from(bytes);
    for (let at = 0; at < other.length; at += 188) other[at + 2] = other[at + 2]! ^ 0x80;

    const [ours, theirs] = [datagrams(bytes, 1472), datagrams(other, 1472)];
    for (const [n, datagram] of ours.entries()) {
      await first(datagram);
      await second(theirs[n]!);
      await stranger(Buffer.from('no stream'));
    }

    await source.until(2 * bytes.length);
    const packets = source.packets();
    const isOther = (packet: Buffer) => (packet[2]! & 0x80) !== (bytes[2]! & 0x80);
    const known = new Set(datagrams(bytes, 188).map((packet) => packet.toString('latin1')));
    const complete = packets.filter((packet) => known.has(packet.toString('latin1')));
    expect(Buffer.concat(complete).equals(bytes)).toBe(true);
    expect(packets.filter((packet) => !known.has(packet.toString('latin1')))).toHaveLength(200);
    expect(packets.some(isOther)).toBe(true);
    expect(source.counts().refused).toBe(ours.length);
  });
});
