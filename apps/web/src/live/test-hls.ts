import worker from 'hls.js/dist/hls.worker.js?raw';
import { TICKS_PER_SECOND } from '../clock/ticks.ts';

type Remuxed = {
  video?: { data1: Uint8Array; data2: Uint8Array };
  initSegment?: { initPTS?: number; tracks?: { video?: { initSegment: Uint8Array } } };
};
type Said = { event: string; data: { remuxResult: Remuxed } };
type Message = { cmd: string; [more: string]: unknown };

/** A part of a segment as the player loads it. */
export type LoadedPart = { sn: number; part: number; startS: number; bytes: Uint8Array };

/** Test support: the code that hls.js runs in a worker, in Chromium: of parts that follow each other come fragments of MP4. */
export function hlsRemuxer() {
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
  const tell = (message: Message) => listen({ data: { instanceNo: 1, id: 'main', ...message } });
  tell({ cmd: 'init', typeSupported: {}, config: JSON.stringify({ forceKeyFrameOnDiscontinuity: true }) });
  tell({ cmd: 'configure', config: { defaultInitPts: null } });
  let offset = 0;
  let isFirst = true;

  return {
    /**
     * What it puts into its buffer, in order: before the first fragment how to decode them all; and where the time zero of
     * a fragment is put on the line of media time, seconds. Nothing where the next part is waited for.
     */
    remux({ sn, part, startS, bytes }: LoadedPart): { data: Uint8Array; offset?: number }[] {
      const state = {
        ...{ discontinuity: isFirst, trackSwitch: isFirst, initSegmentChange: isFirst, contiguous: !isFirst },
        ...{ accurateTimeOffset: false, timeOffset: startS },
      };
      const chunkMeta = { level: 0, sn, part, id: 1, partial: true, iframe: false, transmuxing: {} };
      isFirst = false;
      said.length = 0;
      tell({ cmd: 'demux', data: bytes.slice().buffer, decryptdata: null, chunkMeta, state });
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
