import type { Budget } from './growing-buffer.ts';
import { createKlvStream } from './klv-stream.ts';
import { createPictureOrder, type Pictures } from './picture-order.ts';
import type { PacketPlace, PidReader } from './pid-reader.ts';
import type { RawKlv } from './raw-klv.ts';
import { createStreamClock, distance, type Pending, TICKS_PER_SECOND, type Timeline } from './timeline.ts';
import type {
  AccessUnit,
  DemuxFaults,
  DemuxHandlers,
  KlvPayload,
  StreamKind,
  VideoFormat,
  VideoKind,
} from './types.ts';
import { createVideoStream, type RawUnit } from './video-stream.ts';

export type Counter = { count: number };

/** State shared by the streams of one program. */
export type StreamContext = {
  handlers: DemuxHandlers;
  programNumber: number;
  timeline: Timeline;
  pictures: Pictures;
  budget: Budget;
  /** Numbers of sections read so far: of the program association table, and of the program's PMT. */
  associations: Counter;
  maps: Counter;
  fault(kind: keyof DemuxFaults, pid: number | null, offset: number): void;
};

/** Reader of one elementary stream of a program. */
export type ElementaryStream = PidReader & {
  end(): void;
  /** Makes the clock of this video the clock of the program from now on; only readers of video have this function. */
  lead?(): void;
};

/** Maximum time from decoding to presentation, in ticks; a larger one means damage. */
const DELAY_MAX = 10 * TICKS_PER_SECOND;

/** Creates the reader of a video stream, which delivers access units and formats. */
export function createVideoReader(pid: number, kind: VideoKind, context: StreamContext): ElementaryStream {
  const { handlers, timeline, programNumber } = context;
  const clock = createStreamClock(false);
  const stream = createVideoStream({
    kind,
    budget: context.budget,
    onUnit,
    onFormat,
    onBroken: (offset) => context.fault('brokenPes', pid, offset),
  });
  const unit: AccessUnit = {
    pid,
    programNumber,
    kind,
    ptsTicks: null,
    dtsTicks: null,
    offset: 0,
    keyframe: false,
    gradual: false,
    stamp: null,
    run: 0,
    patCount: 0,
    pmtCount: 0,
  };
  let format: VideoFormat | null = null;
  let isReordered = false;
  let lastPts = Number.NEGATIVE_INFINITY;

  function read(bytes: Uint8Array, start: number, end: number, packet: PacketPlace): boolean {
    const more = readHead(bytes, start, end, packet);
    if (!handlers.videoPayload) return more;
    handlers.videoPayload(packet, bytes, start, end);
    return true;
  }

  function readHead(bytes: Uint8Array, start: number, end: number, packet: PacketPlace): boolean {
    if (!packet.unitStart) {
      if (!packet.lost) return stream.append(bytes, start, end);
      stream.finish();
      return false;
    }
    stream.finish();
    stream.unit.offset = packet.offset;
    stream.unit.patCount = context.associations.count;
    stream.unit.pmtCount = context.maps.count;
    return stream.begin(bytes, start, end);
  }

  function onUnit(raw: RawUnit) {
    if (raw.dts < 0) return give(raw, null, clock.started ? clock.run : timeline.run());
    if (timeline.place(clock, raw.dts, !raw.hasDts)) give(raw, clock.ticks, clock.run);
    else timeline.hold(clock, toPending(raw));
  }

  function toPending(raw: RawUnit): Pending {
    const retained = { ...raw };
    return {
      stamp: raw.dts,
      release(ticks, run) {
        if (ticks === null) context.fault('badTimes', pid, retained.offset);
        give(retained, ticks, run);
      },
    };
  }

  function give(raw: RawUnit, dts: number | null, run: number) {
    const delay = dts === null ? 0 : distance(raw.pts, raw.dts);
    const isDelayed = Math.abs(delay) <= DELAY_MAX;
    if (!isDelayed) context.fault('badTimes', pid, raw.offset);
    unit.dtsTicks = dts;
    unit.ptsTicks = dts !== null && isDelayed ? dts + delay : null;
    if (run !== unit.run) lastPts = Number.NEGATIVE_INFINITY;
    unit.run = run;
    unit.offset = raw.offset;
    unit.keyframe = raw.keyframe;
    unit.gradual = raw.gradual;
    unit.stamp = raw.stamp;
    unit.patCount = raw.patCount;
    unit.pmtCount = raw.pmtCount;
    if (unit.ptsTicks !== null) watchOrder(unit.ptsTicks);
    handlers.accessUnit?.(unit);
    if (clock.leads && dts !== null) context.pictures.seen(dts, run);
  }

  /**
   * A picture that comes after one with a later time shows that pictures are reordered, whether or not the stream
   * states it.
   */
  function watchOrder(pts: number) {
    if (pts < lastPts && !isReordered) {
      isReordered = true;
      if (format?.hasBFrames === null) onFormat(format);
    }
    lastPts = pts;
  }

  function onFormat(next: VideoFormat) {
    format = next.hasBFrames === null && isReordered ? { ...next, hasBFrames: true } : next;
    handlers.video?.(pid, format);
  }

  function end() {
    stream.finish();
    timeline.settle(clock);
  }

  function lead() {
    clock.leads = true;
  }

  return { kind, read, end, lead };
}

/** Creates the reader of a KLV stream, which delivers payloads. */
export function createKlvReader(pid: number, kind: StreamKind, context: StreamContext): ElementaryStream {
  const { handlers, timeline, programNumber } = context;
  const clock = createStreamClock(false);
  const stream = createKlvStream({
    kind,
    budget: context.budget,
    onPayload,
    onFault: (fault, offset) => context.fault(fault, pid, offset),
  });
  const payload: KlvPayload = {
    pid,
    programNumber,
    ptsTicks: null,
    nearTicks: null,
    run: 0,
    offset: 0,
    bytes: new Uint8Array(0),
    start: 0,
    end: 0,
    sync: false,
  };

  function read(bytes: Uint8Array, start: number, end: number, packet: PacketPlace): boolean {
    if (packet.lost) stream.lose();
    if (packet.unitStart) stream.begin(bytes, start, end, packet.offset);
    else stream.append(bytes, start, end);
    return true;
  }

  const order = createPictureOrder({
    pictures: context.pictures,
    give: (raw, near, run) => give(raw, { own: null, near, run }),
    last: () => ({ ticks: timeline.lastTicks(), run: timeline.run() }),
  });

  function onPayload(raw: RawKlv) {
    if (raw.pts < 0) return order.add(raw);
    if (timeline.place(clock, raw.pts, true)) give(raw, { own: clock.ticks, near: clock.ticks, run: clock.run });
    else timeline.hold(clock, toPending(raw));
  }

  function toPending(raw: RawKlv): Pending {
    const retained = { ...raw, bytes: raw.bytes.slice(raw.start, raw.end), start: 0, end: raw.end - raw.start };
    return {
      stamp: raw.pts,
      release(ticks, run) {
        if (ticks === null) context.fault('badTimes', pid, retained.offset);
        give(retained, { own: ticks, near: ticks ?? timeline.lastTicks(), run });
      },
    };
  }

  function give(raw: RawKlv, { own, near, run }: { own: number | null; near: number | null; run: number }) {
    payload.ptsTicks = own;
    payload.nearTicks = near;
    payload.run = run;
    payload.offset = raw.offset;
    payload.bytes = raw.bytes;
    payload.start = raw.start;
    payload.end = raw.end;
    payload.sync = raw.sync;
    handlers.klv?.(payload);
  }

  function end() {
    stream.end();
    order.end();
    timeline.settle(clock);
  }

  return { kind, read, end };
}
