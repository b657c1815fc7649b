import { INSIDE_FRAME_S } from './frame-steps.ts';
import { pictureTime } from './frame-watch.ts';

/**
 * Time after a seek without a callback at which the same picture is assumed to be on screen, in milliseconds; browsers
 * may not announce that.
 */
const SAME_MS = 250;

/** Maximum wait for a callback that is later than its picture, as on a busy machine, in milliseconds. */
const LATE_MS = 1500;

/** Maximum time that a seek waits for data to be loaded, in milliseconds. */
const LOAD_MS = 10_000;

type Deps = {
  video: HTMLVideoElement;
  /** Returns the media time of the picture on screen. */
  shown: () => number | null;
  /** Returns the duration of one picture as far as known, in seconds. */
  frameS: () => number;
};

/** Performs one seek at a time, each until the picture of its position is on screen. */
export function createPictureSeek({ video, shown, frameS }: Deps) {
  let onPicture: (() => void) | null = null;
  let end: ((picture: number | null) => void) | null = null;

  /**
   * Returns whether the element holds another picture than the announced one. The comparison is tolerant, since some
   * browsers report a time inside the picture.
   */
  function isBehind(): boolean {
    const held = pictureTime(video);
    return held !== null && Math.abs(held - (shown() ?? held)) >= frameS() - INSIDE_FRAME_S;
  }

  function pictureAt(place: number): Promise<number | null> {
    end?.(null);
    return new Promise((resolve) => {
      let isAnnounced = false;
      const finish = (picture: number | null) => {
        clearTimeout(timer);
        video.removeEventListener('seeked', onSeeked);
        onPicture = null;
        end = null;
        resolve(picture);
      };
      const waitOn = (waitedMs: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (waitedMs < LATE_MS && isBehind()) waitOn(waitedMs + SAME_MS);
          else finish(shown());
        }, SAME_MS);
      };
      const onSeeked = () => {
        // The event belongs to an earlier seek.
        if (video.seeking) return;
        if (isAnnounced && !isBehind()) finish(shown());
        else waitOn(SAME_MS);
      };
      let timer = setTimeout(() => finish(null), LOAD_MS);
      end = finish;
      onPicture = () => {
        isAnnounced = true;
        if (!video.seeking) onSeeked();
      };
      video.addEventListener('seeked', onSeeked);
      video.currentTime = place;
    });
  }

  return {
    pictureAt,
    /** Call when a picture came on screen. */
    notify: () => onPicture?.(),
    /** Aborts the seek, since its picture is no longer needed. */
    leave: () => end?.(null),
  };
}
