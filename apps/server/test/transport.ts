import { createMuxer, type MuxerOptions, type MuxerUnit } from '@osprey/mpegts';

export const SPS = {
  hd: '67640028acd940780227e5c04400000fa40003a9803c60c658',
  sd: '6742c01eda0280bfe5c0440000030004000003 00f03c58ba80'.replaceAll(' ', ''),
};
const PPS = '68ebe3cb22c0';

/** A picture of H.264 with so many bytes after its head, or with these. */
export function picture(keyframe: boolean, filling: number | Uint8Array, sps = SPS.hd): Uint8Array {
  const nals = keyframe ? ['09f0', sps, PPS, '6588843fff'] : ['09f0', '419a246c41ff'];
  const head = Buffer.from(nals.map((nal) => `00000001${nal}`).join(''), 'hex');
  return Buffer.concat([head, typeof filling === 'number' ? Buffer.alloc(filling, 0xab) : filling]);
}

function klvPacket(byte: number): Uint8Array {
  return Buffer.concat([
    Buffer.from('060e2b34020b01010e01030101000000', 'hex'),
    Buffer.from([60]),
    Buffer.alloc(60, byte),
  ]);
}

export type Flight = {
  pictures: number;
  startTicks?: number;
  filling?: number;
  videoPid?: number;
  sps?: string;
};

/** Pictures at 30 a second, each tenth a key frame, with a KLV packet for each. */
export function flightStream({ pictures, startTicks = 90_000, filling = 3000, videoPid = 256, sps }: Flight): Buffer {
  const written: Uint8Array[] = [];
  const streams: MuxerOptions['streams'] = [
    { pid: videoPid, kind: 'h264' },
    { pid: videoPid + 1, kind: 'klvAsync' },
  ];
  const muxer = createMuxer({ streams, write: (bytes) => written.push(bytes.slice()) });
  for (let i = 0; i < pictures; i++) {
    const ptsTicks = startTicks + i * 3000;
    const keyframe = i % 10 === 0;
    const unit: MuxerUnit = { pid: videoPid, ptsTicks, keyframe, bytes: picture(keyframe, filling, sps) };
    muxer.unit(unit);
    muxer.unit({ pid: videoPid + 1, ptsTicks, bytes: klvPacket(i) });
  }
  muxer.end();
  return Buffer.concat(written);
}
