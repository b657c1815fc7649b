import worker from 'hls.js/dist/hls.worker.js?raw';
import { createMuxer } from '../../../../packages/mpegts/src/index.ts';
import { TICKS_PER_SECOND } from '../onscreen/clock/ticks.ts';
import { sampleTimes } from '../player/hls/sample-times.ts';

type Remuxed = {
  video?: { data1: Uint8Array; data2: Uint8Array };
  initSegment?: { initPTS?: number; tracks?: { video?: { initSegment: Uint8Array } } };
};
type Said = { event: string; data: { remuxResult: Remuxed } };
type Message = { cmd: string; [more: string]: unknown };

/** A part of a segment as the player loads it. */
type LoadedPart = { sn: number; part: number; startS: number; bytes: Uint8Array };

/** Loader of a player that takes its bytes from the test, in `context.bytes`. */
export class GivenLoader {
  load(context: object, _config: object, callbacks: { onSuccess: (response: object) => void }) {
    callbacks.onSuccess({ data: (context as { bytes: Uint8Array }).bytes.slice().buffer });
  }
}

/**
 * Test support: runs the code that hls.js runs in a worker in Chromium, which converts consecutive parts to MP4
 * fragments.
 */
function hlsRemuxer() {
  const said: Said[] = [];
  let listen: (message: { data: object }) => void = () => undefined;
  const self = {
    addEventListener: (_type: string, listener: typeof listen) => {
      listen = listener;
    },
    postMessage: (message: Said) => said.push(message),
    performance,
  };
  new Function('self', 'navigator', worker)(self, { userAgent: 'Chrome/140.0' });
  const report = (message: Message) => listen({ data: { instanceNo: 1, id: 'main', ...message } });
  report({ cmd: 'init', typeSupported: {}, config: JSON.stringify({ forceKeyFrameOnDiscontinuity: true }) });
  report({ cmd: 'configure', config: { defaultInitPts: null } });
  let offset = 0;
  let isFirst = true;

  return {
    /**
     * Returns the pieces that hls.js puts into its buffer, in order: the initialisation segment before the first
     * fragment; and the media time in seconds at which the time zero of a fragment is placed. Empty while the next part
     * is awaited.
     */
    remux({ sn, part, startS, bytes }: LoadedPart): { data: Uint8Array; offset?: number }[] {
      const state = {
        ...{ discontinuity: isFirst, trackSwitch: isFirst, initSegmentChange: isFirst, contiguous: !isFirst },
        ...{ accurateTimeOffset: false, timeOffset: startS },
      };
      const chunkMeta = { level: 0, sn, part, id: 1, partial: true, iframe: false, transmuxing: {} };
      isFirst = false;
      said.length = 0;
      report({ cmd: 'demux', data: bytes.slice().buffer, decryptdata: null, chunkMeta, state });
      const { video, initSegment } = said.find(({ event }) => event === 'transmuxComplete')?.data.remuxResult ?? {};
      if (initSegment?.initPTS !== undefined) offset = -initSegment.initPTS / TICKS_PER_SECOND;
      const before = initSegment?.tracks?.video;
      return [
        ...(before ? [{ data: before.initSegment }] : []),
        ...(video ? [{ data: new Uint8Array([...video.data1, ...video.data2]), offset }] : []),
      ];
    },
  };
}

const VIDEO = 256;
/** Duration of a frame in ticks, at fifteen pictures per second. */
const FRAME_TICKS = TICKS_PER_SECOND / 15;
export const PTS_TURN = 2 ** 33;

/** H.264 of 1920x1080: parameter sets and an IDR slice, and a P slice. */
const KEY_PICTURE = '0000000167640028acd940780227e5c04400000fa40003a9803c60c6580000000168ebe3cb22c0000000016588843fff';
const PICTURE = '00000001419a246c41ff';

/**
 * A picture, given by the frame that it shows; if pictures are coded in another order, also by the frame in whose turn
 * it is coded.
 */
export type Frame = number | { shown: number; turn: number };
export type Stream = { firstTicks?: number; keyFrame?: number; pids?: number[] };

export const shownOf = (frame: Frame) => (typeof frame === 'number' ? frame : frame.shown);
const turnOf = (frame: Frame) => (typeof frame === 'number' ? frame : frame.turn);
export const ticksOf = (frame: number, { firstTicks = 900_000 }: Stream) =>
  (firstTicks + frame * FRAME_TICKS) % PTS_TURN;
const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));

/** Returns pictures as transport packets; those of a second video are slightly later. */
function partOf(frames: readonly Frame[], stream: Stream = {}): Uint8Array {
  const { keyFrame = 0, pids = [VIDEO] } = stream;
  const written: number[] = [];
  const muxer = createMuxer({
    streams: pids.map((pid) => ({ pid, kind: 'h264' })),
    write: (packets) => written.push(...packets),
  });
  for (const frame of frames) {
    const keyframe = shownOf(frame) === keyFrame;
    const bytes = bytesOf(keyframe ? KEY_PICTURE : PICTURE);
    for (const [later, pid] of pids.entries()) {
      const ptsTicks = ticksOf(shownOf(frame), stream) + later;
      muxer.unit({ pid, ptsTicks, dtsTicks: ticksOf(turnOf(frame), stream) + later, keyframe, bytes });
    }
  }
  muxer.end();
  return Uint8Array.from(written);
}

type Through = {
  Loader: new (settings: never) => unknown;
  appended: (data: never) => void;
};

/**
 * Sends parts of a segment through the loader and the player's own code into the buffer; returns the media time of each
 * picture in the buffer.
 */
export function play(
  parts: readonly (readonly Frame[])[],
  { Loader, appended }: Through,
  stream: Stream = {},
): number[] {
  const loader = new Loader({} as never) as GivenLoader;
  const hls = hlsRemuxer();
  const shown: number[] = [];
  for (const [part, frames] of parts.entries()) {
    const bytes = partOf(frames, stream);
    loader.load({ frag: { sn: 1 }, part: { index: part }, bytes }, {}, { onSuccess: () => undefined });
    const startS = (turnOf(frames[0]!) * FRAME_TICKS) / TICKS_PER_SECOND;
    for (const { data, offset = 0 } of hls.remux({ sn: 1, part, startS, bytes })) {
      appended({ type: 'video', data, offset, chunkMeta: { sn: 1, part } } as never);
      shown.push(...sampleTimes(data).map((ticks) => ticks / TICKS_PER_SECOND + offset));
    }
  }
  return shown;
}
