import type Hls from 'hls.js';

/** Maximum number of consecutive undecodable segments; after that, the stream is opened again. */
const SKIPS_MAX = 20;

/** Tolerance in seconds within which a position still counts as the start of a segment. */
const WITHIN_S = 0.001;

/** Error code of MediaError (HTML, 4.8.11.1). */
const MEDIA_ERR_DECODE = 3;

type Options = {
  video: HTMLVideoElement;
  hls: () => Pick<Hls, 'latestLevelDetails' | 'recoverMediaError' | 'startLoad'> | null;
  onHopeless: () => void;
};

/**
 * Skips pictures that cannot be decoded: the browser stops the decoder at such a picture, so a new decoder is started
 * at the next segment. Returns a function that stops this.
 */
export function skipDamage({ video, hls, onHopeless }: Options): () => void {
  /** Number of skips since the last picture, and the target of the last skip in media seconds. */
  let skips = 0;
  let skippedTo = 0;

  function onError() {
    const player = hls();
    const known = player?.latestLevelDetails;
    if (!player || !known || video.error?.code !== MEDIA_ERR_DECODE || skips === SKIPS_MAX) return onHopeless();
    const from = skips === 0 ? video.currentTime : Math.max(skippedTo, known.fragmentStart);
    const next = known.fragments.find(({ start }) => start > from + WITHIN_S)?.start ?? known.edge;
    const isPlaying = !video.paused;
    skips += 1;
    skippedTo = next;
    player.recoverMediaError();
    player.startLoad(next);
    // `recoverMediaError` pauses the element, so it must be played again.
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
