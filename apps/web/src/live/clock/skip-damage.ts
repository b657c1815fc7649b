import type Hls from 'hls.js';

/** Undecodable pieces in a row after which the stream is opened again. */
const SKIPS_MOST = 20;

/** Up to this long after the start of a segment it is still that segment. Seconds. */
const WITHIN_S = 0.001;

/** MediaError (HTML, 4.8.11.1). */
const MEDIA_ERR_DECODE = 3;

type Options = {
  video: HTMLVideoElement;
  hls: () => Pick<Hls, 'latestLevelDetails' | 'recoverMediaError' | 'startLoad'> | null;
  onHopeless: () => void;
};

/**
 * Skips pictures that cannot be decoded: the browser ends a decoder at the first of them, and with a new one the next
 * segment plays, or the one after if that is not there yet. Returns how to stop.
 */
export function skipDamage({ video, hls, onHopeless }: Options): () => void {
  /** Since a picture was there; and where to the last went, media seconds. */
  let skips = 0;
  let skippedTo = 0;

  function onError() {
    const player = hls();
    const known = player?.latestLevelDetails;
    if (!player || !known || video.error?.code !== MEDIA_ERR_DECODE || skips === SKIPS_MOST) return onHopeless();
    const from = skips === 0 ? video.currentTime : Math.max(skippedTo, known.fragmentStart);
    const next = known.fragments.find(({ start }) => start > from + WITHIN_S)?.start ?? known.edge;
    const isPlaying = !video.paused;
    skips += 1;
    skippedTo = next;
    player.recoverMediaError();
    player.startLoad(next);
    // recoverMediaError pauses the element.
    if (isPlaying) video.play().catch(() => undefined);
  }

  const onPicture = () => {
    skips = 0;
  };

  video.addEventListener('error', onError);
  video.addEventListener('loadeddata', onPicture);
  return () => {
    video.removeEventListener('error', onError);
    video.removeEventListener('loadeddata', onPicture);
  };
}
