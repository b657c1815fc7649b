import { INSIDE_FRAME_S } from './frame-steps.ts';
import { pictureTime } from './frame-watch.ts';

/** Without a callback in this time after a seek the same picture is still shown, which browsers may not announce. */
const SAME_MS = 250;

/** On a busy machine the callback comes later than the picture; this is the longest wait for it. */
const LATE_MS = 1500;

/** A seek waits for what has to be loaded, but not for ever. */
const LOAD_MS = 10_000;

type Deps = {
  video: HTMLVideoElement;
  /** Media time of the picture on screen. */
  shown: () => number | null;
  /** Length of one picture as far as it is known, seconds. */
  frameS: () => number;
};

/** Seeks one at a time, each until the picture of its place is on screen. */
export function createPictureSeek({ video, shown, frameS }: Deps) {
  let onPicture: (() => void) | null = null;
  let end: ((picture: number | null) => void) | null = null;

  /** The element shows another picture than it announced. Some browsers give a place inside the picture. */
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
        // From an earlier seek.
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
    /** A picture came on screen. */
    notify: () => onPicture?.(),
    /** The wanted picture is not needed any more. */
    leave: () => end?.(null),
  };
}
