// @vitest-environment jsdom
import { AppError } from '@osprey/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import { createMuxer } from '../../../../packages/mpegts/src/index.ts';
import { TICKS_PER_SECOND } from '../clock/ticks.ts';
import { openLiveHls } from './hlsLive.ts';
import type { LiveProblem } from './liveSource.ts';
import { sampleTimes } from './sampleTimes.ts';
import { hlsRemuxer } from './test-hls.ts';
import { texts } from './texts.ts';

type Listener = (event: string, details: unknown) => void;

type Loading = { load(context: object, config: object, callbacks: { onSuccess: (response: object) => void }): void };
type Settings = { fLoader: new (settings: object) => Loading };

/** What the library does with a stream is its own matter; what it tells of a failure is ours. */
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

vi.mock(import('../player/loadHls.ts'), async (original) => ({
  ...(await original()),
  loadHls: async () => FakePlayer as never,
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

it('stays at the start of what is kept where that has left behind what was wound back to', async () => {
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
  // What is loaded is played on, whatever the list says.
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

it('goes on at the next segment where pictures cannot be decoded, at the one behind where those cannot either', async () => {
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

it('plays on behind damage, and stands where it stood', async () => {
  const { video, player } = await open();
  const play = vi.spyOn(video, 'play').mockResolvedValue();

  breakAt(video, 1.2);
  Object.defineProperty(video, 'paused', { value: false });
  breakAt(video, 0);

  expect(player.recovered).toBe(2);
  expect(play).toHaveBeenCalledTimes(1);
});

it('is lost, and so begins anew, where nothing more can be decoded; and is left alone once it has ended', async () => {
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

it('takes a broken picture up twice by itself, then begins anew', async () => {
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

const VIDEO = 256;
const OTHER_VIDEO = 258;
/** Fifteen pictures a second. */
const FRAME_TICKS = TICKS_PER_SECOND / 15;
const PTS_TURN = 2 ** 33;

/** H.264 of 1920x1080: parameter sets and an IDR slice, and a P slice. */
const KEY_PICTURE = '0000000167640028acd940780227e5c04400000fa40003a9803c60c6580000000168ebe3cb22c0000000016588843fff';
const PICTURE = '00000001419a246c41ff';

/** A picture by the frame that it shows, and where pictures come in another order by the frame whose turn it is. */
type Frame = number | { shown: number; turn: number };
type Stream = { firstTicks?: number; keyFrame?: number; pids?: number[] };

const shownOf = (frame: Frame) => (typeof frame === 'number' ? frame : frame.shown);
const turnOf = (frame: Frame) => (typeof frame === 'number' ? frame : frame.turn);
const ticksOf = (frame: number, { firstTicks = 900_000 }: Stream) => (firstTicks + frame * FRAME_TICKS) % PTS_TURN;
const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));

/** Pictures as transport packets; those of a second video are a little later. */
function partOf(frames: readonly Frame[], stream: Stream): Uint8Array {
  const { keyFrame = 0, pids = [VIDEO] } = stream;
  const written: number[] = [];
  const muxer = createMuxer({
    streams: pids.map((pid) => ({ pid, kind: 'h264' })),
    write: (packets) => written.push(...packets),
  });
  for (const frame of frames) {
    const keyframe = shownOf(frame) === keyFrame;
    const bytes = bytesOf(keyframe ? KEY_PICTURE : PICTURE);
    for (const [later, pid] of pids.entries()) {
      const ptsTicks = ticksOf(shownOf(frame), stream) + later;
      muxer.unit({ pid, ptsTicks, dtsTicks: ticksOf(turnOf(frame), stream) + later, keyframe, bytes });
    }
  }
  muxer.end();
  return Uint8Array.from(written);
}

const framesFrom = (from: number) => Array.from({ length: 7 }, (_, i) => from + i);
const reordered = (from: number) => [0, 3, 1, 2].map((ahead, i) => ({ shown: from + ahead, turn: from + i - 1 }));

it.each<[string, (readonly Frame[])[], Stream?]>([
  ['where all pictures came', [framesFrom(0), framesFrom(7), framesFrom(14)]],
  ['behind a part whose last picture came late', [framesFrom(0), [7, 8, 9, 11], framesFrom(12), framesFrom(19)]],
  ['where a part begins late', [framesFrom(0), framesFrom(10), framesFrom(17)]],
  ['where parts have a single picture', [framesFrom(0), [7], [8], [9], [12], framesFrom(13)]],
  ['where pictures come in another order', [reordered(0), reordered(4).toSpliced(2, 1), reordered(8), reordered(12)]],
  ['where it begins before a key frame', [framesFrom(0), [7, 8, 10], framesFrom(11)], { keyFrame: 3 }],
  ['where the clock turns', [framesFrom(0), [7, 8, 10], framesFrom(11)], { firstTicks: PTS_TURN - 60_000 }],
  ['of two videos in the first one', [framesFrom(0), [7, 8, 10], framesFrom(11)], { pids: [VIDEO, OTHER_VIDEO] }],
])('knows the PTS of the picture on screen %s', async (_where, parts, stream = {}) => {
  const { source, player } = await open();
  const loader = new player.settings.fLoader({});
  const hls = hlsRemuxer();
  const shown: { mediaTime: number; rtpTicks: null }[] = [];

  for (const [part, frames] of parts.entries()) {
    const bytes = partOf(frames, stream);
    loader.load({ frag: { sn: 1 }, part: { index: part }, bytes }, {}, { onSuccess: () => undefined });
    const made = hls.remux({ sn: 1, part, startS: (turnOf(frames[0]!) * FRAME_TICKS) / TICKS_PER_SECOND, bytes });
    for (const { data, offset = 0 } of made) {
      const appending = { type: 'video', data, offset, chunkMeta: { sn: 1, part } };
      player.listeners.get('bufferAppending')?.('bufferAppending', appending);
      for (const ticks of sampleTimes(data)) {
        shown.push({ mediaTime: ticks / TICKS_PER_SECOND + offset, rtpTicks: null });
      }
    }
  }

  const own = parts.flat().map((frame) => ticksOf(shownOf(frame), stream));
  expect(shown.map((picture) => source.ticksOf(picture))).toEqual(own.slice(stream.keyFrame ?? 0));
});

it('knows no PTS before there is a picture', async () => {
  const { source } = await open();

  expect(source.ticksOf({ mediaTime: 1, rtpTicks: null })).toBeNull();
});
