// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { GivenLoader, play, ticksOf } from '../../testing/hls.ts';
import { begunPicture, prepareHls, takeHls } from './hls-source.ts';

/** As hls.js: media that are attached while nothing is loaded are loaded at once where `autoStartLoad` is set. */
class FakePlayer {
  static made: FakePlayer[] = [];
  static Events = {
    BUFFER_APPENDING: 'appending',
    INIT_PTS_FOUND: 'zero',
    LEVEL_LOADED: 'listed',
    FRAG_LOADING: 'asked',
    FRAG_LOADED: 'loaded',
    FRAG_BUFFERED: 'buffered',
    ERROR: 'error',
  };
  static DefaultConfig = { loader: GivenLoader };
  static isSupported = () => true;
  readonly config: {
    autoStartLoad: boolean;
    startPosition: number;
    maxMaxBufferLength?: number;
    fLoader: new (settings: object) => unknown;
  };
  said: string[] = [];
  isLoading = false;
  private readonly listeners: { event: string; listener: (event: string, data: unknown) => void }[] = [];
  constructor(settings: { autoStartLoad: boolean; fLoader: new (settings: object) => unknown }) {
    this.config = { startPosition: -1, ...settings };
    FakePlayer.made.push(this);
  }
  on(event: string, listener: (event: string, data: unknown) => void) {
    this.listeners.push({ event, listener });
  }
  notify(event: string, data: unknown) {
    for (const one of this.listeners) if (one.event === event) one.listener(event, data);
  }
  levels = [{}];
  loadSource() {}
  destroy() {}
  latestLevelDetails = { fragments: [0, 2, 4, 6].map((start) => ({ start })) };
  recoverMediaError() {
    this.said.push('recovered');
  }
  detachMedia() {
    this.said.push('detached');
  }
  attachMedia() {
    this.said.push('attached');
    if (this.config.autoStartLoad && !this.isLoading) this.startLoad(this.config.startPosition);
  }
  startLoad(position: number) {
    this.isLoading = true;
    this.said.push(`from ${position}`);
  }
}
vi.mock(import('./load-hls.ts'), async (original) => ({
  ...(await original()),
  loadHls: async () => ({ ...(await import('./hls-pictures.ts')), Player: FakePlayer as never }),
}));

const target = (startPosition: number, video = document.createElement('video')) => ({
  video,
  startPosition,
  onZero: vi.fn(),
  onFailure: vi.fn(),
  onSkip: vi.fn(),
});

async function begun(place: number) {
  const count = FakePlayer.made.length;
  const url = `/api/media/${count}/index.m3u8`;
  const { asked } = prepareHls(url);
  prepareHls(url).begin(place);
  await vi.waitFor(() => expect(FakePlayer.made.length).toBe(count + 1));
  return { url, asked, player: FakePlayer.made[count]!, video: begunPicture(url)! };
}

it('loads again, from where it began, when a decoder that failed at the very start was replaced', async () => {
  const count = FakePlayer.made.length;
  const source = takeHls('/api/media/a/index.m3u8');
  source.play(target(12));
  await vi.waitFor(() => expect(FakePlayer.made[count]?.said).toContain('from 12.001'));
  const player = FakePlayer.made[count]!;
  player.said = [];
  player.isLoading = false;

  // Actions of hls.js by itself; it asks to load only if the picture is after the first moment.
  player.attachMedia();

  expect(player.said).toEqual(['attached', 'from 12.001']);
  source.end();
});

it('loads from where it was begun, and once, into the element that shows it later', async () => {
  const { url, player, video } = await begun(12);
  takeHls(url).play(target(12, video));
  expect(player.said).toEqual(['attached', 'from 12.001']);
  expect(begunPicture(url)).toBeNull();
});

it('is played from elsewhere where the link was read otherwise', async () => {
  const { url, player, video } = await begun(12);
  const source = takeHls(url);
  source.play(target(40, video));
  source.begin(12);
  expect(player.said).toEqual(['attached', 'from 12.001', 'from 40.001']);
});

it('goes over to another element, where it is not played in the one that it began in', async () => {
  const { url, player } = await begun(12);
  takeHls(url).play(target(12));
  expect(player.said).toEqual(['attached', 'from 12.001', 'detached', 'attached']);
});

it('loads no more than it needs for a first picture until that is on screen', async () => {
  const { url, player, video } = await begun(0);
  const onPicture = vi.fn<(show: () => void) => number>();
  takeHls(url).play(target(0, Object.assign(video, { requestVideoFrameCallback: onPicture })));
  expect(player.config.maxMaxBufferLength).toBeLessThan(1);

  onPicture.mock.lastCall![0]();

  expect(player.config.maxMaxBufferLength).toBeGreaterThan(20);
});

it('loads on where no picture comes soon', async () => {
  const { url, player, video } = await begun(0);
  vi.useFakeTimers();
  takeHls(url).play(target(0, video));

  vi.advanceTimersByTime(1000);

  vi.useRealTimers();
  expect(player.config.maxMaxBufferLength).toBeGreaterThan(20);
});

it('reports when its first segment is asked for, or that none will be', async () => {
  const first = await begun(0);
  const order: string[] = [];
  first.asked.then(() => order.push('asked'));
  await Promise.resolve();
  order.push('not yet');
  first.player.notify('asked', {});
  await first.asked;
  expect(order).toEqual(['not yet', 'asked']);

  const second = await begun(0);
  takeHls(second.url).end();
  await second.asked;
});

it('mends what could not be decoded before it was shown', async () => {
  const { url, player, video } = await begun(0);
  breakAt(video, 1.2);
  expect(player.said).toEqual(['attached', 'from 0']);

  const requested = target(0, video);
  takeHls(url).play(requested);

  expect(player.said).toEqual(['attached', 'from 0', 'recovered', 'from 2']);
  expect(requested.onSkip.mock.calls).toEqual([[2]]);
});

it('knows which picture is on screen, for any media time of the player', async () => {
  const { url, player } = await begun(0);
  const { pictures } = takeHls(url);
  expect(pictures.at(0)).toBeNull();

  const shown = play(
    [
      [0, 1, 2, 4],
      [5, 6],
    ],
    {
      Loader: player.config.fLoader,
      appended: (data) => player.notify('appending', data),
    },
  );

  expect(shown.map((mediaTime) => pictures.at(mediaTime)?.ticks)).toEqual(
    [0, 1, 2, 4, 5, 6].map((frame) => ticksOf(frame, {})),
  );
});

it('gives its player the zeros that were met before', async () => {
  const { url, player } = await begun(0);
  player.notify('zero', { frag: { cc: 3 }, initPTS: 10, timescale: 1 });
  const requested = target(0);
  takeHls(url).play(requested);
  player.notify('zero', { frag: { cc: 4 }, initPTS: 20, timescale: 1 });
  expect(requested.onZero.mock.calls).toEqual([
    [3, 900_000],
    [4, 1_800_000],
  ]);
});

/** As the browser does where it meets pictures that it cannot decode. */
function breakAt(video: HTMLVideoElement, at: number | null) {
  Object.defineProperty(video, 'error', { value: { code: 3 }, configurable: true });
  if (at !== null) Object.defineProperty(video, 'currentTime', { value: at, configurable: true, writable: true });
  video.dispatchEvent(new Event('error'));
}

it('goes on at the next segment where pictures cannot be decoded, and at the one after where those cannot either', async () => {
  const { url, player } = await begun(0);
  const requested = target(0);
  takeHls(url).play(requested);
  player.said = [];

  breakAt(requested.video, 1.2);
  breakAt(requested.video, 0);
  expect(player.said).toEqual(['recovered', 'from 2', 'recovered', 'from 4']);
  expect(requested.onSkip.mock.calls).toEqual([[2], [4]]);

  // The user went back before a picture that was shown.
  requested.video.dispatchEvent(new Event('loadeddata'));
  breakAt(requested.video, 1.2);
  expect(requested.onSkip).toHaveBeenLastCalledWith(2);
  expect(requested.onFailure).not.toHaveBeenCalled();
});

it('says that the recording is broken where nothing more of it can be decoded', async () => {
  const { url } = await begun(0);
  const requested = target(0);
  takeHls(url).play(requested);

  breakAt(requested.video, 6.5);

  expect(requested.onFailure.mock.calls).toEqual([['broken']]);
  expect(requested.onSkip).not.toHaveBeenCalled();
});

/** Two-second segments; of the first nothing before 1.9 s can be shown. */
async function withHole({ place = 0, loaded = [0] }: { place?: number; loaded?: readonly number[] }) {
  const { url, player } = await begun(place);
  const requested = target(place);
  takeHls(url).play(requested);
  const set = (name: string, value: unknown) =>
    Object.defineProperty(requested.video, name, { value, configurable: true, writable: true });
  const buffered = (from: number, to: number) => set('buffered', { length: 1, start: () => from, end: () => to });
  player.notify('listed', {
    details: { fragments: [0, 1, 2, 3].map((sn) => ({ sn, start: 2 * sn, end: 2 * sn + 2 })) },
  });
  for (const sn of loaded) player.notify('loaded', { frag: { sn } });
  set('readyState', 1);
  set('seeking', true);
  set('currentTime', 0.001);
  buffered(1.9, 2);
  return { player, requested, set, buffered };
}
const first = { frag: { sn: 0, start: 1.9, end: 2 } };

it('goes on at the first key frame where nothing before it can be shown', async () => {
  const { player, requested } = await withHole({});

  player.notify('buffered', first);

  expect(requested.onSkip.mock.calls).toEqual([[1.9]]);
  expect(requested.video.currentTime).toBeCloseTo(1.901);
});

it('goes on there too where the segment was in the buffer before anybody showed it', async () => {
  const { url, player, video } = await begun(0);
  player.notify('listed', { details: { fragments: [{ sn: 0, start: 0, end: 2 }] } });
  player.notify('loaded', { frag: { sn: 0 } });
  const state = { readyState: 1, seeking: true, currentTime: 0.001 };
  for (const [name, value] of Object.entries(state)) Object.defineProperty(video, name, { value, writable: true });
  Object.defineProperty(video, 'buffered', { value: { length: 1, start: () => 1.9, end: () => 2 } });
  player.notify('buffered', first);

  const requested = target(0, video);
  takeHls(url).play(requested);

  expect(requested.onSkip.mock.calls).toEqual([[1.9]]);
});

it('waits for what may still come: the segment of the place, the begin, or a picture', async () => {
  const other = await withHole({ loaded: [1] });
  other.player.notify('buffered', first);
  const later = await withHole({});
  later.buffered(1.9, 6);
  later.player.notify('buffered', { frag: { sn: 2, start: 4, end: 6 } });
  const begins = await withHole({ place: 3 });
  begins.set('seeking', false);
  begins.set('currentTime', 0);
  begins.player.notify('buffered', first);
  const shown = await withHole({});
  shown.set('readyState', 2);
  shown.player.notify('buffered', first);

  for (const { requested } of [other, later, begins, shown]) expect(requested.onSkip).not.toHaveBeenCalled();
});

it('says that the recording is broken where none of its segments has a picture', async () => {
  const { player, requested, set } = await withHole({ loaded: [0, 1, 2] });
  set('buffered', { length: 0 });

  player.notify('buffered', first);
  expect(requested.onFailure).not.toHaveBeenCalled();
  player.notify('loaded', { frag: { sn: 3 } });
  player.notify('buffered', { frag: { sn: 3, start: 6, end: 8 } });

  expect(requested.onFailure.mock.calls).toEqual([['broken']]);
  expect(requested.onSkip).not.toHaveBeenCalled();
});

it('outlives any number of outages that it played on after, and reports the one that does not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { url, player } = await begun(0);
  const requested = target(0);
  takeHls(url).play(requested);
  Object.defineProperty(requested.video, 'readyState', { value: 4 });
  const outage = () => {
    player.notify('error', { fatal: true, type: 'networkError', details: 'fragLoadError' });
    vi.advanceTimersByTime(2000);
  };

  for (let count = 0; count < 5; count += 1) {
    outage();
    outage();
    player.notify('buffered', first);
    vi.advanceTimersByTime(120_000);
  }
  expect(requested.onFailure).not.toHaveBeenCalled();
  for (let count = 0; count < 4; count += 1) outage();

  expect(requested.onFailure.mock.calls).toEqual([['network']]);
  vi.useRealTimers();
});
