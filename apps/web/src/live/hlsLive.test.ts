// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { openLiveHls } from './hlsLive.ts';
import type { LiveProblem } from './liveSource.ts';
import { texts } from './texts.ts';

type Listener = (event: string, details: unknown) => void;

/** What the library does with a stream is its own matter; what it tells of a failure is ours. */
const { players, FakePlayer } = vi.hoisted(() => {
  class FakePlayer {
    static isSupported = () => true;
    static Events = {
      INIT_PTS_FOUND: 'initPtsFound',
      LEVEL_UPDATED: 'levelUpdated',
      MANIFEST_PARSED: 'manifestParsed',
      ERROR: 'error',
    };
    recovered = 0;
    destroyed = false;
    listeners = new Map<string, Listener>();
    constructor() {
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

it('is lost, and so begins anew, where the browser ends its decoder at a damaged picture', async () => {
  const { source, video, problems } = await open();

  video.dispatchEvent(new Event('error'));
  source.end();
  video.dispatchEvent(new Event('error'));

  expect(problems).toEqual([{ kind: 'lost' }]);
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
