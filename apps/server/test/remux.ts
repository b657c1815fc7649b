import { createMuxer, createUnitReader, type MuxerOptions, type MuxerStream, type MuxerUnit } from '@osprey/mpegts';

/** One picture or KLV payload, with bytes of its own. */
export type TakenUnit = MuxerUnit & { ptsTicks: number; isVideo: boolean };

/** The pictures and the KLV of a recording, to be written again in another way. */
export function takeApart(bytes: Uint8Array): TakenUnit[] {
  const units: TakenUnit[] = [];
  const reader = createUnitReader({
    unit: ({ ptsTicks, dtsTicks, keyframe, bytes, start, end }) => {
      units.push({ pid: 0, isVideo: true, ptsTicks, dtsTicks, keyframe, bytes: bytes.slice(start, end) });
    },
    klv: ({ nearTicks, bytes, start, end }) => {
      units.push({ pid: 0, isVideo: false, ptsTicks: nearTicks ?? 0, bytes: bytes.slice(start, end) });
    },
  });
  reader.push(bytes);
  reader.end();
  return units;
}

type Writing = Omit<MuxerOptions, 'write' | 'streams'> & {
  video: MuxerStream;
  klv: MuxerStream;
  /** Added to all times. */
  shiftTicks?: number;
};

/** Writes pictures and KLV under the given PIDs. */
export function putTogether(units: readonly TakenUnit[], { video, klv, shiftTicks = 0, ...options }: Writing): Buffer {
  return written(
    { ...options, streams: [video, klv] },
    units.map((unit) => shifted({ ...unit, pid: unit.isVideo ? video.pid : klv.pid }, shiftTicks)),
  );
}

export function written(options: Omit<MuxerOptions, 'write'>, units: readonly MuxerUnit[]): Buffer {
  const parts: Buffer[] = [];
  const muxer = createMuxer({ ...options, write: (bytes) => parts.push(Buffer.from(bytes)) });
  for (const unit of units) muxer.unit(unit);
  muxer.end();
  return Buffer.concat(parts);
}

function shifted(unit: MuxerUnit, ticks: number): MuxerUnit {
  const dtsTicks = unit.dtsTicks == null ? unit.dtsTicks : unit.dtsTicks + ticks;
  return {
    ...unit,
    ptsTicks: unit.ptsTicks === null ? null : unit.ptsTicks + ticks,
    ...(dtsTicks !== undefined && { dtsTicks }),
  };
}
