import {
  type AccessUnit,
  createDemuxer,
  createMuxer,
  type DemuxFault,
  type DemuxOptions,
  type DemuxReport,
  type KlvPayload,
  type MuxerOptions,
  type MuxerUnit,
  type Program,
  type VideoFormat,
} from '../src/index.ts';

/** Everything that a demuxer delivered, as copies. */
export type Reading = {
  programs: Program[];
  units: AccessUnit[];
  payloads: (KlvPayload & { hex: string })[];
  formats: { pid: number; format: VideoFormat }[];
  faults: DemuxFault[];
  report: DemuxReport;
};

/** Demuxes a whole stream in pieces of `pieceSize` bytes. */
export function demux(bytes: Uint8Array, pieceSize = bytes.length, options: DemuxOptions = {}): Reading {
  const reading: Omit<Reading, 'report'> = { programs: [], units: [], payloads: [], formats: [], faults: [] };
  const demuxer = createDemuxer(
    {
      program: (program) => reading.programs.push(program),
      accessUnit: (unit) => reading.units.push({ ...unit }),
      klv: (payload) => reading.payloads.push(copyOf(payload)),
      video: (pid, format) => reading.formats.push({ pid, format }),
      fault: (fault) => reading.faults.push(fault),
    },
    options,
  );
  for (let from = 0; from < bytes.length; from += pieceSize) demuxer.push(bytes.subarray(from, from + pieceSize));
  return { ...reading, report: demuxer.end() };
}

function copyOf(payload: KlvPayload): KlvPayload & { hex: string } {
  const bytes = payload.bytes.slice(payload.start, payload.end);
  return { ...payload, bytes, start: 0, end: bytes.length, hex: Buffer.from(bytes).toString('hex') };
}

/** Muxes units into one array. */
export function mux(options: Omit<MuxerOptions, 'write'>, units: MuxerUnit[]): Uint8Array {
  const written: Uint8Array[] = [];
  const muxer = createMuxer({ ...options, write: (bytes) => written.push(bytes.slice()) });
  for (const unit of units) muxer.unit(unit);
  muxer.end();
  return Uint8Array.from(Buffer.concat(written));
}

const H264_SPS = '67640028acd940780227e5c04400000fa40003a9803c60c658';
const H264_PPS = '68ebe3cb22c0';
const SLICES = { idr: '6588843fff', other: '419a246c41ff' };

/**
 * Returns an H.264 access unit of 1920x1080: parameter sets and an IDR slice, or a P slice, followed by `filling`
 * bytes.
 */
export function picture(kind: 'idr' | 'other', filling = 400): Uint8Array {
  const nals = kind === 'idr' ? ['09f0', H264_SPS, H264_PPS, SLICES.idr] : ['09f0', SLICES.other];
  const head = Buffer.from(nals.map((nal) => `00000001${nal}`).join(''), 'hex');
  return Uint8Array.from(Buffer.concat([head, Buffer.alloc(filling, 0xab)]));
}

/** Returns a KLV packet with the key of ST 0601 and a value of `size` bytes, all equal to `byte`. */
export function klvPacket(size: number, byte = 0x11): Uint8Array {
  const key = Buffer.from('060e2b34020b01010e01030101000000', 'hex');
  const length = size < 128 ? [size] : [0x83, size >> 16, (size >> 8) & 0xff, size & 0xff];
  return Uint8Array.from(Buffer.concat([key, Buffer.from(length), Buffer.alloc(size, byte)]));
}

export const FRAME_TICKS = 3000;

export type FlightOptions = {
  frames: number;
  /** Time of the first picture. */
  startTicks?: number;
  keyEvery?: number;
  klv?: 'klvAsync' | 'klvSync';
  klvSize?: number;
};

/** Returns the units of a simple recording: 30 times a second, a picture and a KLV packet with the same time. */
export function flight(options: FlightOptions): MuxerUnit[] {
  const { frames, startTicks = 90_000, keyEvery = 10, klvSize = 60 } = options;
  const units: MuxerUnit[] = [];
  for (let i = 0; i < frames; i++) {
    const ptsTicks = startTicks + i * FRAME_TICKS;
    const keyframe = i % keyEvery === 0;
    units.push({ pid: 256, ptsTicks, keyframe, bytes: picture(keyframe ? 'idr' : 'other') });
    units.push({ pid: 257, ptsTicks, bytes: klvPacket(klvSize, i & 0xff) });
  }
  return units;
}

/** Returns the muxed stream of `flight`. */
export function flightStream(options: FlightOptions): Uint8Array {
  const streams: MuxerOptions['streams'] = [
    { pid: 256, kind: 'h264' },
    { pid: 257, kind: options.klv ?? 'klvAsync' },
  ];
  return mux({ streams }, flight(options));
}

/** Returns the packets of a stream of 188-byte packets. */
export function packetsOf(stream: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(stream.length / 188) }, (_, i) => stream.slice(i * 188, (i + 1) * 188));
}

export function pidOf(packet: Uint8Array): number {
  return ((packet[1]! & 0x1f) << 8) | packet[2]!;
}

export function join(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
