// @vitest-environment jsdom
import { type LivePlatform, type Role, revokedEvent } from '@osprey/contract';
import { act, cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { fakeApi } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, show } from '../testing/show.tsx';
import { LivePage } from './LivePage.tsx';

const video = {
  codec: 'h264' as const,
  width: 1280,
  height: 720,
  frameRate: 25,
  hasBFrames: false,
  browserPlayable: true,
};

beforeEach(() => {
  localStorage.clear();
  // jsdom draws no pictures.
  HTMLVideoElement.prototype.requestVideoFrameCallback ??= () => 0;
  HTMLVideoElement.prototype.cancelVideoFrameCallback ??= () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly tell: (entries: { contentRect: { width: number; height: number } }[]) => void;
      constructor(tell: (entries: { contentRect: { width: number; height: number } }[]) => void) {
        this.tell = tell;
      }
      observe() {
        this.tell([{ contentRect: { width: 1400, height: 800 } }]);
      }
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open(platforms: LivePlatform[], at = '/live', role: Role = 'admin') {
  const fake = fakeApi({ 'GET /platforms': () => platforms });
  const view = show(<LivePage />, { api: fake.api, at, session: { actor: { ...admin, role } } });
  await screen.findByRole('region', { name: 'Live view' });
  return { ...fake, ...view };
}

const player = (name: string) => screen.findByRole('region', { name: `Player ${name}` });
const players = () => screen.queryAllByRole('region', { name: /^Player / });

it('shows the sensors that send now, and the badge counts platforms alone', async () => {
  const sensors = [
    liveSensorOf({ name: 'EO', video }),
    liveSensorOf({ name: 'IR', state: 'offline' }),
    liveSensorOf({ name: 'AIS', type: 'ais' }),
  ];
  await open([
    livePlatformOf({ name: 'OSP-21', sensors }),
    livePlatformOf({ name: 'ROV-2', state: 'offline', sensors: [] }),
  ]);

  await player('EO');

  expect(players()).toHaveLength(1);
  expect(screen.getByRole('heading', { name: '2 platforms' })).toBeDefined();
  expect(screen.getByText('1 of 1 live sensors shown')).toBeDefined();
});

it('shows what the address and the table choose, each with its state', async () => {
  const since = Date.UTC(2026, 10, 4, 14, 51, 25) * 1000;
  const sensors = [
    liveSensorOf({ name: 'EO', video, state: 'lost', since }),
    liveSensorOf({ name: 'IR', state: 'offline', since }),
    liveSensorOf({ name: 'Nose', on: false, state: 'offline' }),
  ];
  const platform = livePlatformOf({ name: 'OSP-21', state: 'lost', sensors });
  await open([platform], `/live?platforms=${platform._id}`);

  expect((await player('EO')).textContent).toContain('Signal lost since 14:51:25 Z');
  expect((await player('IR')).textContent).toContain('Last seen Nov 04 2026, 14:51');
  expect((await player('Nose')).textContent).toContain('Switched off');
  await userEvent.click(within(screen.getByRole('treegrid')).getByText('OSP-21'));
});

it('says that nothing is live, and that nothing is shared', async () => {
  await open([livePlatformOf({ state: 'offline', sensors: [liveSensorOf({ state: 'offline' })] })]);
  expect(await screen.findByText('Nothing is live')).toBeDefined();
  cleanup();

  await open([], '/live', 'user');
  expect(await screen.findAllByText('Platforms that are shared with you appear here.')).toHaveLength(2);
  expect(screen.queryByRole('link', { name: 'Go to Platforms' })).toBeNull();
});

it('leads who may set up platforms there when there are none', async () => {
  await open([]);

  const way = await screen.findByRole('link', { name: 'Go to Platforms' });
  expect(way.getAttribute('href')).toBe('/platforms');
});

it('offers the four ways to watch, with the reason where one does not go', async () => {
  const sensor = liveSensorOf({ name: 'EO', video: { ...video, hasBFrames: true } });
  vi.stubGlobal('MediaSource', Object.assign(class {}, { isTypeSupported: () => true }));
  vi.stubGlobal('RTCPeerConnection', class {});
  await open([livePlatformOf({ liveModes: [], sensors: [sensor] })]);

  await userEvent.click(await screen.findByRole('button', { name: /^Way to watch/ }));

  const items = screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent);
  expect(items).toHaveLength(5);
  expect(items).toContain('WebRTCThe stream has B-frames, which WebRTC cannot show.');
  expect(items).toContain('Low latencyYour usergroups do not allow Low latency here.');
});

it('drops a player whose platform is revoked, and says so', async () => {
  const platform = livePlatformOf({ sensors: [liveSensorOf({ name: 'EO', video })] });
  const { bus } = await open([platform]);
  await player('EO');

  act(() => bus.emit(revokedEvent.name, { noun: 'platforms', ids: [platform._id] }));

  expect(await screen.findByText('A live stream is no longer available to you.')).toBeDefined();
  expect(players()).toHaveLength(0);
});

it('has no serious accessibility finding', async () => {
  const sensors = [liveSensorOf({ name: 'EO', video }), liveSensorOf({ name: 'IR', video })];
  const { container } = await open([livePlatformOf({ sensors })]);
  await player('IR');

  expect(await seriousFindings(container)).toEqual([]);
});
