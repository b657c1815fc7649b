import type Hls from 'hls.js';
import type { Fragment, FragmentLoaderConstructor } from 'hls.js';
import { TICKS_PER_SECOND } from '../../onscreen/clock/ticks.ts';
import { removeFirstPicture } from '../first/first-picture.ts';
import { INSIDE_FRAME_S } from '../frames/frame-steps.ts';
import { createPicture } from '../picture/create-picture.ts';
import { createRecovery, type SourceFailure } from './hls-recovery.ts';
import { loadHls, PLAIN_VIDEO } from './load-hls.ts';
import type { PictureTimes } from './picture-times.ts';

/** Number of consecutive pieces that cannot be decoded before the user is notified. */
const SKIPS_MAX = 20;
/** Maximum difference between the times of segments and those of the buffer, in seconds. */
const WITHIN_S = 0.2;
/**
 * Duration that is loaded ahead, in seconds; until the first picture is shown only the second value, so that the
 * processor is free to decode it.
 */
const BUFFERED_AHEAD_MAX_S = 40;
const BUFFERED_AHEAD_FIRST_S = 0.5;
/**
 * Maximum wait for a first picture before loading continues, in milliseconds; a later one is delayed by something else.
 */
const FIRST_PICTURE_MS = 1000;
/** Time after which a prepared recording that was not played is released, in milliseconds. */
const PREPARED_MS = 10_000;

/** Value of MediaError.code (HTML, 4.8.11.1). */
const MEDIA_ERR_DECODE = 3;

/** Media time zero of a discontinuity, in ticks of 90 kHz. */
type Zero = [discontinuity: number, ticks: number];

type Target = {
  video: HTMLVideoElement;
  /** Position in the playlist at which to start, in seconds. */
  startPosition: number;
  onZero: (...zero: Zero) => void;
  onFailure: (failure: SourceFailure) => void;
  /**
   * Called if pictures cannot be decoded up to this position in the playlist, in seconds; playback should continue
   * there.
   */
  onSkip: (to: number) => void;
};

export type HlsSource = {
  /** Loads the segment at this position of the playlist, in seconds, before anybody plays it. */
  begin: (startPosition: number) => void;
  /** Resolves once a first segment was requested, or none will be. */
  asked: Promise<void>;
  /** Starts playing in a video element; may be called once. */
  play: (target: Target) => void;
  pictures: PictureTimes;
  /** Returns the zeros that the player knows, to show a picture before playback starts. */
  zeros: () => readonly Zero[];
  end: () => void;
};

/**
 * Opens an HLS recording. The player's code and the playlist are loaded immediately. Segments are loaded from `begin`
 * or `play` on, which need the start position of the recording; that is requested from the server meanwhile.
 *
 * @param begun an element that pictures are loaded into before anybody plays them
 */
function openHls(url: string, begun: HTMLVideoElement | null = null): HlsSource {
  let ended = false;
  let hls: Hls | null = null;
  let pictures: PictureTimes | null = null;
  let target: Target | null = null;
  let failure: SourceFailure | null = null;
  /** Position from which segments are or will be loaded; null before that. */
  let place: number | null = null;
  /** Number of skips since the last picture, and the position that the last one went to. */
  let skips = 0;
  let skippedTo = 0;
  /** Segments as listed in the playlist, since hls.js changes their times once their pictures are known. */
  let places: { sn: number; end: number }[] = [];
  const loaded = new Set<number>();
  /** Events that occurred before there was a target. */
  const zeros: Zero[] = [];
  const early: Fragment[] = [];
  let notifyAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    notifyAsked = resolve;
  });

  function fail(reason: SourceFailure) {
    failure = reason;
    notifyAsked();
    target?.onFailure(reason);
  }

  function load(from: number) {
    // A second start would discard the data that the first one has loaded.
    if (from === place) return;
    place = from;
    if (hls) startAt(hls, from);
  }

  /** The browser stops a decoder at the first damaged picture, so a new one is started at the next segment. */
  function onMediaError() {
    if (!hls || !target || target.video.error?.code !== MEDIA_ERR_DECODE) return;
    const from = skips === 0 ? target.video.currentTime : skippedTo;
    const next = hls.latestLevelDetails?.fragments.find(({ start }) => start > from + 0.001);
    if (!next || skips === SKIPS_MAX) return fail('broken');
    skips += 1;
    skippedTo = next.start;
    hls.recoverMediaError();
    hls.startLoad(next.start);
    target.onSkip(next.start);
  }

  /**
   * Skips pictures that never come into the buffer: those before a key frame, if a recording begins amid them or lost
   * the key frame before.
   */
  function onBuffered(frag: Fragment) {
    if (!target) return void early.push(frag);
    if (target.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const { buffered, currentTime, seeking } = target.video;
    // The player has not reached its start yet.
    if (!seeking && currentTime + WITHIN_S < (place ?? 0)) return;
    const from = Array.from({ length: buffered.length }, (_, i) => buffered.start(i)).findLast(
      (start, i) => start > currentTime && (i === 0 || buffered.end(i - 1) <= currentTime),
    );
    if (buffered.length === 0 && loaded.size >= Math.min(places.length, SKIPS_MAX)) return fail('broken');
    const isOfThis = from !== undefined && from > frag.start - WITHIN_S && from < frag.end;
    if (!isOfThis || !wasLoaded(currentTime)) return;
    // The position is set immediately, since the running seek ends only with a picture.
    target.video.currentTime = from + INSIDE_FRAME_S;
    target.onSkip(from);
  }

  /** Returns whether the segment at this position of the playlist was loaded, so that no more of it will come. */
  const wasLoaded = (at: number) => loaded.has(places.find(({ end }) => end > at)?.sn ?? -1);

  const onPicture = () => {
    skips = 0;
  };

  function loadAhead() {
    if (hls) hls.config.maxMaxBufferLength = BUFFERED_AHEAD_MAX_S;
  }

  function play() {
    if (failure !== null) return target?.onFailure(failure);
    if (!hls || !target) return;
    for (const zero of zeros.splice(0)) target.onZero(...zero);
    target.video.addEventListener('error', onMediaError);
    target.video.addEventListener('loadeddata', onPicture);
    if (target.video !== begun) {
      if (begun) hls.detachMedia();
      hls.attachMedia(target.video);
    }
    load(target.startPosition);
    target.video.requestVideoFrameCallback?.(loadAhead);
    setTimeout(loadAhead, target.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA ? FIRST_PICTURE_MS : 0);
    // Handles errors that occurred before there was a listener.
    if (target.video.error) onMediaError();
    for (const frag of early.splice(0)) onBuffered(frag);
  }

  loadHls().then(
    ({ Player, hlsPictures }) => {
      if (ended) return;
      if (!Player.isSupported()) return fail('unsupported');
      const onZero: Target['onZero'] = (...zero) => (target ? target.onZero(...zero) : void zeros.push(zero));
      const { loader, appended, pictures: known } = hlsPictures(Player);
      pictures = known;
      const made = create(Player, url, { loader, onZero, onFailure: fail });
      made.on(Player.Events.BUFFER_APPENDING, (_event, data) => appended(data));
      made.on(Player.Events.LEVEL_LOADED, (_event, { details: { fragments } }) => {
        places = fragments.map(({ sn, end }) => ({ sn, end }));
      });
      made.on(Player.Events.FRAG_LOADING, notifyAsked);
      made.on(Player.Events.FRAG_LOADED, (_event, { frag: { sn } }) => {
        if (sn !== 'initSegment') loaded.add(sn);
      });
      made.on(Player.Events.FRAG_BUFFERED, (_event, { frag }) => onBuffered(frag as Fragment));
      hls = made;
      if (begun) hls.attachMedia(begun);
      if (place !== null) startAt(hls, place);
      play();
    },
    () => fail('network'),
  );
  return {
    asked,
    zeros: () => zeros,
    pictures: {
      at: (mediaTime) => pictures?.at(mediaTime) ?? null,
      ticksAt: (mediaTime) => pictures?.ticksAt(mediaTime) ?? null,
      mediaTimeOf: (ticks, near) => pictures?.mediaTimeOf(ticks, near) ?? null,
    },
    begin(from) {
      if (target === null) load(from);
    },
    play(requested) {
      target = requested;
      play();
    },
    end() {
      ended = true;
      notifyAsked();
      target?.video.removeEventListener('error', onMediaError);
      target?.video.removeEventListener('loadeddata', onPicture);
      hls?.destroy();
      hls = null;
    },
  };
}

type Prepared = { source: HlsSource; picture: HTMLVideoElement; timer: ReturnType<typeof setTimeout> };

const prepared = new Map<string, Prepared>();

/**
 * Opens a recording that is about to be played: its playlist and first picture are loaded while the page around it is
 * rendered.
 */
export function prepareHls(url: string): HlsSource {
  const before = prepared.get(url);
  if (before) return before.source;
  const picture = createPicture();
  const source = openHls(url, picture);
  const timer = setTimeout(() => {
    prepared.delete(url);
    source.end();
    removeFirstPicture();
  }, PREPARED_MS);
  prepared.set(url, { source, picture, timer });
  return source;
}

/** Returns the element of a prepared recording, which its player has to use. */
export const begunPicture = (url: string): HTMLVideoElement | null => prepared.get(url)?.picture ?? null;

/** Returns the prepared recording, or a newly opened one; the caller must end it. */
export function takeHls(url: string): HlsSource {
  const ready = prepared.get(url);
  if (!ready) return openHls(url);
  prepared.delete(url);
  clearTimeout(ready.timer);
  return ready.source;
}

function startAt(hls: Hls, place: number) {
  // At the exact start of a picture, some browsers still show the previous one.
  const startPosition = place > 0 ? place + INSIDE_FRAME_S : 0;
  // If the playlist is not loaded yet, loading starts with it, at the position from this setting.
  hls.config.startPosition = startPosition;
  // From here on hls.js starts loading automatically; otherwise it would wait forever after a decoder error at the very
  // start.
  hls.config.autoStartLoad = true;
  hls.startLoad(startPosition);
}

type Making = Pick<Target, 'onZero' | 'onFailure'> & { loader: FragmentLoaderConstructor };

function create(Player: typeof Hls, url: string, { loader, onZero, onFailure }: Making): Hls {
  const hls = new Player({
    ...PLAIN_VIDEO,
    fLoader: loader,
    autoStartLoad: false,
    startFragPrefetch: true,
    lowLatencyMode: false,
    maxBufferLength: 20,
    maxMaxBufferLength: BUFFERED_AHEAD_FIRST_S,
    backBufferLength: 20,
  });
  hls.on(Player.Events.INIT_PTS_FOUND, (_event, { frag, initPTS, timescale }) => {
    onZero(frag.cc, (initPTS * TICKS_PER_SECOND) / timescale);
  });
  const recovery = createRecovery(hls, onFailure);
  hls.on(Player.Events.FRAG_BUFFERED, recovery.goesOn);
  hls.on(Player.Events.ERROR, (_event, error) => {
    if (error.fatal) recovery.recover(error);
  });
  hls.loadSource(url);
  return hls;
}
