import { createUnitReader, type VideoFormat, type VideoUnit } from '@osprey/mpegts';
import { COMPLETE_PACKETS } from '../recorder-wire/packeting.ts';
import { type RtpPicture, rtpPicture } from './rtp-payloads.ts';

export type PictureViewer = {
  picture(picture: RtpPicture): void;
  /** Called when WebRTC can no longer show the stream. `reason` is a message for the user. */
  impossible(reason: string): void;
};

/** The video of one live sensor as RTP, packetized once for all viewers. */
export type PictureFeed = {
  push(packets: Uint8Array, lost: boolean): void;
  /** Returns the format of the stream as soon as a key frame arrives; null if none arrives in time. */
  format(): Promise<VideoFormat | null>;
  /**
   * Adds a viewer, who starts with the last key frame if that is recent, otherwise with the next one. Returns a
   * function that removes the viewer.
   */
  join(viewer: PictureViewer): () => void;
};

/**
 * Maximum number of pictures cached since the last key frame; if there are more, a new viewer waits for the next key
 * frame. A player plays a burst at the rate of its timestamps, and would keep that latency.
 */
const RETAINED_PICTURES = 8;
/** Time to wait for the first key frame, in milliseconds, longer than the key frame interval of most streams. */
const FIRST_MS = 5000;

/** Returns the reason why WebRTC cannot show a stream; null if it can. */
export function whyNot(format: Omit<VideoFormat, 'profile' | 'level'>): string | null {
  if (format.codec !== 'h264') return 'This stream is not H.264 video, which is what WebRTC shows here.';
  if (format.hasBFrames) return 'This stream has B-frames, which WebRTC cannot show.';
  if (format.bitDepth !== 8 || format.chroma !== '4:2:0' || format.interlaced) {
    return 'This stream is not progressive 4:2:0 video with 8 bits, which is what WebRTC shows.';
  }
  return null;
}

export function pictureFeed(): PictureFeed {
  const viewers = new Set<PictureViewer>();
  const reader = createUnitReader({ unit: add }, { packeting: COMPLETE_PACKETS });
  let format: VideoFormat | null = null;
  let retained: RtpPicture[] = [];
  const first = Promise.withResolvers<void>();

  function add(unit: VideoUnit): void {
    if (unit.format === null) return;
    format = unit.format;
    first.resolve();
    const reason = whyNot(format);
    if (reason !== null) {
      for (const viewer of viewers) viewer.impossible(reason);
      return;
    }
    const picture = rtpPicture(unit);
    if (picture.keyframe) retained = [picture];
    else if (retained.length > 0 && retained.length < RETAINED_PICTURES) retained.push(picture);
    else retained = [];
    for (const viewer of viewers) viewer.picture(picture);
  }

  return {
    push(packets, lost) {
      if (lost) reader.lose();
      reader.push(packets);
    },
    async format() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, FIRST_MS);
      await Promise.race([first.promise, late.promise]);
      clearTimeout(timer);
      return format;
    },
    join(viewer) {
      viewers.add(viewer);
      for (const picture of retained) viewer.picture(picture);
      return () => void viewers.delete(viewer);
    },
  };
}
