import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import { INSIDE_FRAME_S } from './frame-steps.ts';
import { takeShown } from './shown-before.ts';

/** A picture on screen: its media time, and in a WebRTC track its RTP timestamp, ticks of 90 kHz in 32 bits. */
export type ShownPicture = { mediaTime: number; rtpTicks: number | null };

type Options = {
  video: HTMLVideoElement;
  /**
   * Returns the duration of one picture in seconds, by the frame rate of the sensor, or by the usual one if that is
   * unknown.
   */
  frameS: () => number;
  /**
   * Called after all frame callbacks, in the animation frame in which the picture is shown. `announced` is the media
   * time given by the callback: that of this picture or of the one before it, never a time between the two.
   */
  onShown: (picture: ShownPicture, announced: number) => void;
};

/** Reports each picture that a video element shows; returns a function that stops it. */
export function watchFrames({ video, frameS, onShown }: Options): () => void {
  let callback = 0;
  let drawing = 0;

  const watch: VideoFrameRequestCallback = (_now, announced) => {
    callback = video.requestVideoFrameCallback(watch);
    const held = pictureTime(video) ?? Number.NaN;
    // The held time counts only if it is at least one whole picture later, since some browsers report the playing
    // position, which is inside the picture.
    const mediaTime = held - announced.mediaTime >= frameS() - INSIDE_FRAME_S ? held : announced.mediaTime;
    const { rtpTimestamp } = announced;
    const rtpTicks =
      rtpTimestamp === undefined
        ? null
        : rtpTimestamp + Math.round((mediaTime - announced.mediaTime) * TICKS_PER_SECOND);
    // Runs after all frame callbacks, in the same animation frame, so that other callbacks see this picture before time
    // passes in which the next one could replace it.
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(() => onShown({ mediaTime, rtpTicks }, announced.mediaTime));
  };
  callback = video.requestVideoFrameCallback(watch);
  const before = takeShown(video);
  if (before !== null) {
    drawing = requestAnimationFrame(() => onShown({ mediaTime: before, rtpTicks: null }, before));
  }

  return () => {
    cancelAnimationFrame(drawing);
    video.cancelVideoFrameCallback(callback);
  };
}

/**
 * Returns the media time of the picture that the element currently holds. On a busy machine a frame callback is late,
 * and the screen is one picture ahead of the announced one. Null if the browser does not provide it (a page without
 * TLS, no picture).
 */
export function pictureTime(video: HTMLVideoElement): number | null {
  if (typeof VideoFrame !== 'function') return null;
  try {
    const picture = new VideoFrame(video);
    const { timestamp } = picture;
    picture.close();
    return timestamp / 1e6;
  } catch {
    return null;
  }
}
