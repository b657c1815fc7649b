// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { prepareHls, takeHls } from './hlsSource.ts';

/** As hls.js: media that are attached while nothing is loaded are loaded at once where `autoStartLoad` is set. */
class FakePlayer {
  static made: FakePlayer[] = [];
  static Events = { INIT_PTS_FOUND: 'zero', ERROR: 'error' };
  static isSupported = () => true;
  readonly config: { autoStartLoad: boolean; startPosition: number };
  said: string[] = [];
  isLoading = false;
  private readonly listeners = new Map<string, (event: string, data: unknown) => void>();
  constructor(settings: { autoStartLoad: boolean }) {
    this.config = { startPosition: -1, ...settings };
    FakePlayer.made.push(this);
  }
  on(event: string, listener: (event: string, data: unknown) => void) {
    this.listeners.set(event, listener);
  }
  tell(event: string, data: unknown) {
    this.listeners.get(event)?.(event, data);
  }
  loadSource() {}
  destroy() {}
  attachMedia() {
    this.said.push('attached');
    if (this.config.autoStartLoad && !this.isLoading) this.startLoad(this.config.startPosition);
  }
  startLoad(position: number) {
    this.isLoading = true;
    this.said.push(`from ${position}`);
  }
}
vi.mock(import('./loadHls.ts'), async (original) => ({
  ...(await original()),
  loadHls: async () => FakePlayer as never,
}));

const target = (startPosition: number) => ({
  video: document.createElement('video'),
  startPosition,
  onZero: vi.fn(),
  onFailure: vi.fn(),
});

async function begun(place: number) {
  const count = FakePlayer.made.length;
  const url = `/api/media/${count}/index.m3u8`;
  prepareHls(url).begin(place);
  await vi.waitFor(() => expect(FakePlayer.made.length).toBe(count + 1));
  return { url, player: FakePlayer.made[count]! };
}

it('loads again, from where it began, when a decoder that failed at the very start was replaced', async () => {
  const count = FakePlayer.made.length;
  const source = takeHls('/api/media/a/index.m3u8');
  source.play(target(12));
  await vi.waitFor(() => expect(FakePlayer.made[count]?.said).toContain('from 12'));
  const player = FakePlayer.made[count]!;
  player.said = [];
  player.isLoading = false;

  // What hls.js does by itself; it asks to load only where the picture stands behind the first moment.
  player.attachMedia();

  expect(player.said).toEqual(['attached', 'from 12']);
  source.end();
});

it('loads from where it was begun, and once, when it is played from there', async () => {
  const { url, player } = await begun(12);
  takeHls(url).play(target(12));
  expect(player.said).toEqual(['from 12', 'attached']);
});

it('is played from elsewhere where the link was read otherwise', async () => {
  const { url, player } = await begun(12);
  const source = takeHls(url);
  source.play(target(40));
  source.begin(12);
  expect(player.said).toEqual(['from 12', 'attached', 'from 40']);
});

it('tells who plays it of the zeros that were met before', async () => {
  const { url, player } = await begun(0);
  player.tell('zero', { frag: { cc: 3 }, initPTS: 10, timescale: 1 });
  const wanted = target(0);
  takeHls(url).play(wanted);
  player.tell('zero', { frag: { cc: 4 }, initPTS: 20, timescale: 1 });
  expect(wanted.onZero.mock.calls).toEqual([
    [3, 900_000],
    [4, 1_800_000],
  ]);
});
