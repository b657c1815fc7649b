// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { play, ticksOf } from '../../testing/hls.ts';
import { texts } from '../texts.ts';
import { openLiveHls } from './hls-live.ts';
import type { LiveProblem } from './live-source.ts';

type Listener = (event: string, details: unknown) => void;

type Loading = { load(context: object, config: object, callbacks: { onSuccess: (response: object) => void }): void };
type Settings = { fLoader: new (settings: object) => Loading };

/** The library's own work is not tested here, only our handling of its failures. */
const { players, FakePlayer } = vi.hoisted(() => {
  class FakeLoader implements Loading {
    load(context: object, _config: object, callbacks: { onSuccess: (response: object) => void }) {
      callbacks.onSuccess({ data: (context as { bytes: Uint8Array }).bytes.slice().buffer });
    }
  }
  class FakePlayer {
    static isSupported = () => true;
    static DefaultConfig = { loader: FakeLoader };
    static Events = {
      BUFFER_APPENDING: 'bufferAppending',
      LEVEL_UPDATED: 'levelUpdated',
      MANIFEST_PARSED: 'manifestParsed',
      ERROR: 'error',
    };
    recovered = 0;
    said: string[] = [];
    latestLevelDetails = {
      ...{ fragments: [0, 2, 4, 6].map((start) => ({ start })), fragmentStart: 0, edge: 8 },
      ...{ age: 0, live: true },
    };
    destroyed = false;
    listeners = new Map<string, Listener>();
    settings: Settings;
    constructor(settings: Settings) {
      this.settings = settings;
      players.push(this);
    }
    on(event: string, listener: Listener) {
      this.listeners.set(event, listener);
    }
    once(event: string, listener: Listener) {
      this.listeners.set(event, listener);
    }
    loadSource() {}
    attachMedia() {}
    recoverMediaError() {
      this.recovered += 1;
    }
    startLoad(from: number) {
      this.said.push(`from ${from}`);
    }
    destroy() {
      this.destroyed = true;
    }
    fail(error: object) {
      this.listeners.get('error')?.('error', { fatal: true, ...error });
    }
  }
  const players: FakePlayer[] = [];
  return { players, FakePlayer };
});

vi.mock(import('../../player/hls/load-hls.ts'), async (original) => ({
  ...(await original()),
  loadHls: async () => ({ ...(await import('../../player/hls/hls-pictures.ts')), Player: FakePlayer as never }),
}));

beforeEach(() => {
  players.length = 0;
});

async function open() {
  const problems: LiveProblem[] = [];
  const video = document.createElement('video');
  const source = openLiveHls({
    video,
    sensorId: '00000000-0000-4000-8000-000000000001',
    mode: 'dvr',
    behindS: 0,
    onConnected: () => undefined,
    onProblem: (problem) => problems.push(problem),
  });
  await vi.waitFor(() => expect(players).toHaveLength(1));
  return { source, video, problems, player: players[0]! };
}

it('is gone where the server refuses the stream or has it no longer', async () => {
  for (const code of [401, 403, 404]) {
    players.length = 0;
    const { problems, player } = await open();

    player.fail({ type: 'networkError', details: 'levelLoadError', response: { code } });

    expect(problems).toEqual([{ kind: 'gone' }]);
  }
});

it('is lost, and so tried again, where the stream stopped or the server does not answer', async () => {
  const { problems, player } = await open();

  player.fail({ type: 'networkError', details: 'levelLoadTimeOut' });

  expect(problems).toEqual([{ kind: 'lost' }]);
});

it('is starting where the server says so, and lost where it cannot answer', async () => {
  const { problems, player } = await open();
  const answered = (text: string) => {
    const request = new XMLHttpRequest();
    Object.defineProperty(request, 'responseText', { value: text });
    player.fail({
      ...{ type: 'networkError', details: 'manifestLoadError', response: { code: 503 } },
      networkDetails: request,
    });
    return problems.at(-1);
  };

  expect(answered(JSON.stringify(new AppError('liveStarting')))).toEqual({ kind: 'starting' });
  expect(answered(JSON.stringify(new AppError('unavailable')))).toEqual({ kind: 'lost' });
  expect(answered('<h1>Bad gateway</h1>')).toEqual({ kind: 'lost' });
});

it('stays at the oldest kept picture if the wanted one is not kept any more', async () => {
  const { source, video, player } = await open();
  const updated = (fragmentStart: number) =>
    player.listeners.get('levelUpdated')?.('levelUpdated', {
      details: { ...player.latestLevelDetails, fragmentStart },
    });

  updated(4);
  expect(video.currentTime).toBe(0);

  source.goTo(2);
  updated(2);
  expect(video.currentTime).toBe(2);
  updated(4);
  expect(video.currentTime).toBe(5);
  // Buffered pictures are played on, for any list.
  Object.defineProperty(video, 'readyState', { value: 4 });
  updated(6);
  expect(video.currentTime).toBe(5);
});

/** As the browser does where it meets pictures that it cannot decode. */
function breakAt(video: HTMLVideoElement, at: number) {
  Object.defineProperty(video, 'error', { value: { code: 3 }, configurable: true });
  Object.defineProperty(video, 'currentTime', { value: at, configurable: true, writable: true });
  video.dispatchEvent(new Event('error'));
}

it('goes on at the next segment where pictures cannot be decoded, at the one after where those cannot either', async () => {
  const { video, problems, player } = await open();

  breakAt(video, 1.2);
  breakAt(video, 0);
  expect([player.recovered, player.said]).toEqual([2, ['from 2', 'from 4']]);

  // A picture was shown; then the last segment of the list is damaged, and the next one is not there yet.
  video.dispatchEvent(new Event('loadeddata'));
  breakAt(video, 6.5);
  expect(player.said.at(-1)).toBe('from 8');
  expect(problems).toEqual([]);
});

it('plays on after damage, and stays at its place if it was paused', async () => {
  const { video, player } = await open();
  const play = vi.spyOn(video, 'play').mockResolvedValue();

  breakAt(video, 1.2);
  Object.defineProperty(video, 'paused', { value: false });
  breakAt(video, 0);

  expect(player.recovered).toBe(2);
  expect(play).toHaveBeenCalledTimes(1);
});

it('is lost, and so restarts, if nothing more can be decoded; and is left alone once it has ended', async () => {
  const { source, video, problems, player } = await open();

  for (let damaged = 0; damaged < 20; damaged += 1) breakAt(video, 0);
  expect([player.recovered, problems]).toEqual([20, []]);
  breakAt(video, 0);
  source.end();
  breakAt(video, 0);

  expect([player.recovered, problems]).toEqual([20, [{ kind: 'lost' }]]);
});

it('never works where the browser does not play the codec, and says so', async () => {
  const { problems, player } = await open();

  player.fail({ type: 'mediaError', details: 'bufferAddCodecError' });

  expect(problems).toEqual([{ kind: 'impossible', reason: texts.impossible.codec }]);
});

it('takes a broken picture up twice by itself, then restarts', async () => {
  const { problems, player } = await open();

  for (let times = 0; times < 2; times += 1) player.fail({ type: 'mediaError', details: 'bufferAppendError' });
  expect([player.recovered, problems]).toEqual([2, []]);
  player.fail({ type: 'mediaError', details: 'bufferAppendError' });

  expect([player.recovered, problems]).toEqual([2, [{ kind: 'lost' }]]);
});

it('lets the player mend by itself what is not fatal, and ends it with the source', async () => {
  const { source, problems, player } = await open();

  player.fail({ fatal: false, type: 'networkError', details: 'fragLoadError', response: { code: 404 } });
  expect(problems).toEqual([]);
  source.end();

  expect(player.destroyed).toBe(true);
});

it('knows the PTS of the pictures that it put into the buffer, for any media times of the player', async () => {
  const { source, player } = await open();
  const appended = (data: unknown) => player.listeners.get('bufferAppending')?.('bufferAppending', data);
  const frames = [
    [0, 1, 2, 4],
    [5, 6, 7],
  ];

  const shown = play(frames, { Loader: player.settings.fLoader, appended });

  const ticks = shown.map((mediaTime) => source.ticksOf({ mediaTime, rtpTicks: null }));
  expect(ticks).toEqual(frames.flat().map((frame) => ticksOf(frame, {})));
});

it('knows no PTS before there is a picture', async () => {
  const { source } = await open();

  expect(source.ticksOf({ mediaTime: 1, rtpTicks: null })).toBeNull();
});
