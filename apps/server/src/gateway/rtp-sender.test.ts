import { describe, expect, it } from 'vitest';
import type { RtpPacketOut } from './rtp-queue.ts';
import { rtpSender } from './rtp-sender.ts';
import type { Protect } from './srtp.ts';

/** Shows what is asked of the protection: head, rollover and payload, unprotected. */
const open: Protect = (head, payload, rollover) => Buffer.concat([head, Buffer.from([rollover]), payload]);

const packet = (sequence: number): RtpPacketOut => ({
  payload: Buffer.from(`p${sequence}`),
  marker: sequence % 2 === 1,
  timestamp: sequence * 3000,
  sequence,
});

function sender({ hasRtx = false } = {}) {
  const sent: Buffer[] = [];
  const clock = { ms: 0 };
  const rtp = rtpSender({
    ssrc: 0xaabb_ccdd,
    payloadType: 102,
    rtx: hasRtx ? { ssrc: 0x1122_3344, payloadType: 103 } : null,
    protect: open,
    send: (bytes) => sent.push(bytes),
    nowMs: () => clock.ms,
  });
  return { rtp, sent, clock };
}

const readHead = (bytes: Buffer) => ({
  marker: (bytes[1]! & 0x80) !== 0,
  type: bytes[1]! & 0x7f,
  sequence: bytes.readUInt16BE(2),
  timestamp: bytes.readUInt32BE(4),
  ssrc: bytes.readUInt32BE(8),
  rollover: bytes[12],
  payload: bytes.subarray(13),
});

describe('the RTP sender of one viewer', () => {
  it('goes on numbering after the sequence wraps', () => {
    const { rtp, sent } = sender();

    for (const sequence of [65_534, 65_535, 0, 1]) rtp.send(packet(sequence));

    expect(sent.map((bytes) => readHead(bytes).rollover)).toEqual([0, 0, 1, 1]);
    expect(readHead(sent[1]!)).toMatchObject({
      ...{ marker: true, type: 102, sequence: 65_535, timestamp: 65_535 * 3000, ssrc: 0xaabb_ccdd },
    });
    expect(rtp.facts()).toEqual({ ssrc: 0xaabb_ccdd, timestamp: 3000, packetCount: 4, octetCount: 16 });
  });

  it('sends the same packet again where no other stream was agreed on', () => {
    const { rtp, sent } = sender();
    for (const sequence of [65_535, 0, 1]) rtp.send(packet(sequence));

    rtp.again([65_535, 7]);

    expect(sent).toHaveLength(4);
    expect(sent[3]).toEqual(sent[0]);
  });

  it('sends again in the stream that was agreed on, with the number in front', () => {
    const { rtp, sent } = sender({ hasRtx: true });
    for (const sequence of [8, 9]) rtp.send(packet(sequence));

    rtp.again([9, 8]);

    const [first, second] = sent.slice(2).map(readHead);
    expect(first).toMatchObject({ marker: true, type: 103, sequence: 0, timestamp: 27_000, ssrc: 0x1122_3344 });
    expect(second).toMatchObject({ marker: false, sequence: 1, timestamp: 24_000 });
    expect(first!.payload).toEqual(Buffer.concat([Buffer.from([0, 9]), Buffer.from('p9')]));
  });

  it('does not know any more what was long ago, nor takes its place for another', () => {
    const { rtp, sent } = sender();
    for (let sequence = 0; sequence < 3000; sequence++) rtp.send(packet(sequence));

    rtp.again([10, 2999, 952]);

    expect(sent.slice(3000).map((bytes) => readHead(bytes).sequence)).toEqual([2999, 952]);
  });

  it('sends no more than 500 a second again, for any number of requests', () => {
    const { rtp, sent, clock } = sender();
    rtp.send(packet(1));

    rtp.again(Array.from({ length: 2000 }, () => 1));
    expect(sent).toHaveLength(1 + 500);
    clock.ms = 1000;
    rtp.again([1]);

    expect(sent).toHaveLength(1 + 501);
  });
});
