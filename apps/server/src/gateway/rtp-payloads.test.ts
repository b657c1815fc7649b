import { readFileSync } from 'node:fs';
import { createUnitReader, eachNalUnit, type VideoUnit } from '@osprey/mpegts';
import { describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { offerFor, partsProblem } from './offer.ts';
import { rtpPicture } from './rtp-payloads.ts';

/** NAL units that a receiver puts together from payloads (RFC 6184, 5.6 to 5.8), as hex. */
function nalsOf(payloads: readonly Buffer[]): string[] {
  const nals: string[] = [];
  let open: Buffer[] = [];
  for (const payload of payloads) {
    const type = payload[0]! & 0x1f;
    if (type < 24) nals.push(payload.toString('hex'));
    if (type === 24) {
      for (let at = 1; at < payload.length; at += 2 + payload.readUInt16BE(at)) {
        nals.push(payload.toString('hex', at + 2, at + 2 + payload.readUInt16BE(at)));
      }
    }
    if (type !== 28) continue;
    if (payload[1]! & 0x80) open = [Buffer.from([(payload[0]! & 0xe0) | (payload[1]! & 0x1f)])];
    open.push(payload.subarray(2));
    if (payload[1]! & 0x40) nals.push(Buffer.concat(open).toString('hex'));
  }
  return nals;
}

function nalsIn(unit: VideoUnit): string[] {
  const nals: string[] = [];
  eachNalUnit(unit.bytes, unit.start, unit.end, (start, end) => {
    nals.push(Buffer.from(unit.bytes.subarray(start, end)).toString('hex'));
  });
  return nals;
}

const typeOf = (nal: string) => Number.parseInt(nal.slice(0, 2), 16) & 0x1f;

describe('rtpPicture', () => {
  itWithData(
    'cuts each picture of a recording so that a receiver has it whole, parameter sets before key frames',
    () => {
      let pictures = 0;
      const reader = createUnitReader({
        unit(unit) {
          const { payloads, timestamp, keyframe } = rtpPicture(unit);
          const received = nalsOf(payloads);
          const sets = [...unit.sets!.sps, ...unit.sets!.pps].map((set) => Buffer.from(set).toString('hex'));
          const slices = nalsIn(unit).filter((nal) => ![7, 8, 9, 12].includes(typeOf(nal)));

          expect(received).toEqual([...(keyframe ? sets : []), ...slices]);
          expect(Math.max(...payloads.map(({ length }) => length))).toBeLessThanOrEqual(1180);
          expect(timestamp).toBe(unit.ptsTicks % 2 ** 32);
          pictures++;
        },
      });
      reader.push(readFileSync(testData('ts/osh/sample-stream.ts')));
      reader.end();

      expect(pictures).toBe(277);
    },
  );
});

const offer = (...formats: [type: number, parameters: string][]) =>
  [
    'v=0',
    `m=video 9 UDP/TLS/RTP/SAVPF 96 ${formats.map(([type]) => `${type} ${type + 1}`).join(' ')}`,
    'a=rtpmap:96 VP8/90000',
    'a=rtcp-fb:96 nack',
    ...formats.flatMap(([type, parameters]) => [
      `a=rtpmap:${type} H264/90000`,
      `a=fmtp:${type} ${parameters}`,
      `a=rtpmap:${type + 1} rtx/90000`,
      `a=fmtp:${type + 1} apt=${type}`,
    ]),
    'a=sendrecv',
  ].join('\r\n');

describe('offerFor', () => {
  const BASELINE = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
  const MAIN = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f';
  const HIGH = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=64001f';

  it.each([
    [100, 'm=video 9 UDP/TLS/RTP/SAVPF 106 107'],
    [77, 'm=video 9 UDP/TLS/RTP/SAVPF 104 105'],
    [66, 'm=video 9 UDP/TLS/RTP/SAVPF 102 103'],
  ])('keeps the H.264 of profile %i and its retransmission alone', (profile, line) => {
    const retained = offerFor(offer([102, BASELINE], [104, MAIN], [106, HIGH]), profile)!;

    expect(retained.split('\r\n')[1]).toBe(line);
    expect(retained).not.toContain('VP8');
    expect(retained).not.toContain('a=rtcp-fb:96');
    expect(retained.match(/a=rtpmap/g)).toHaveLength(2);
  });

  it('takes the decoder that knows most where the profile of the stream is not named', () => {
    expect(offerFor(offer([102, BASELINE], [104, MAIN]), 100)).toContain('SAVPF 104 105');
  });

  it('calls 64 addresses of a browser at most', () => {
    const candidates = Array.from({ length: 200 }, (_, i) => `a=candidate:${i} 1 udp 1 10.0.0.1 ${2000 + i} typ host`);
    const retained = offerFor([offer([102, BASELINE]), ...candidates].join('\r\n'), 66)!;

    expect(retained.match(/a=candidate:/g)).toHaveLength(64);
    expect(retained).toContain(candidates[63]);
  });

  it('is for a video and a sound: each part of an offer may take ports of its own', () => {
    const parts = (count: number) =>
      Array(count)
        .fill(offer([102, BASELINE]))
        .join('\n');

    expect([partsProblem(parts(2)), partsProblem(parts(4))]).toEqual([null, null]);
    expect(partsProblem(parts(5))).toBe('The offer has 5 parts, where a video and a sound are two.');
  });

  it('takes no H.264 of one NAL unit a packet, and no other codec', () => {
    expect(offerFor(offer([102, 'packetization-mode=0;profile-level-id=42e01f']), 66)).toBeNull();
    expect(offerFor(offer(), 66)).toBeNull();
  });
});
