// @vitest-environment jsdom
import { type Info, type LivePlatform, type Role, revokedEvent } from '@osprey/contract';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { seriousFindings } from '../testing/axe.ts';
import { type Answers, fakeApi, newId, refusing, WithHeaders } from '../testing/fake-api.ts';
import { livePlatformOf, liveSensorOf } from '../testing/platforms.ts';
import { admin, info, show } from '../testing/show.tsx';
import { LivePage } from './LivePage.tsx';
import { loadViewFeatures } from './view-features.ts';

const video = {
  codec: 'h264' as const,
  width: 1280,
  height: 720,
  frameRate: 25,
  hasBFrames: false,
  browserPlayable: true,
};

beforeAll(loadViewFeatures);
beforeEach(() => {
  localStorage.clear();
  FakeConnection.last = null;
  FakeSocket.last = null;
  // jsdom draws no pictures.
  HTMLVideoElement.prototype.requestVideoFrameCallback ??= () => 0;
  HTMLVideoElement.prototype.cancelVideoFrameCallback ??= () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly notify: (entries: { contentRect: { width: number; height: number } }[]) => void;
      constructor(notify: (entries: { contentRect: { width: number; height: number } }[]) => void) {
        this.notify = notify;
      }
      observe() {
        this.notify([{ contentRect: { width: 1400, height: 800 } }]);
      }
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Options = { answers?: Answers; flags?: Partial<Info> };

async function open(platforms: LivePlatform[], at = '/live', role: Role = 'admin', options: Options = {}) {
  const { answers = {}, flags = {} } = options;
  const fake = fakeApi({ 'GET /platforms': () => platforms, ...answers });
  const session = { actor: { ...admin, role }, info: { ...info, ...flags } };
  const view = show(<LivePage />, { api: fake.api, at, session });
  await screen.findByRole('region', { name: 'Live view' });
  return { ...fake, ...view };
}

const player = (name: string) => screen.findByRole('region', { name: new RegExp(`^Player .*${name}$`) });
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
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Live',
    'Annotations',
    'Bookmarks',
    'Clips',
  ]);
  expect(screen.getByText('1 of 1 live sensors shown')).toBeDefined();
});

it('shows what the address and the table choose, each with its state', async () => {
  const since = Date.UTC(2026, 10, 4, 14, 51, 25) * 1000;
  const sensors = [
    liveSensorOf({ name: 'EO', video, state: 'lost', since }),
    liveSensorOf({ name: 'IR', state: 'offline', since }),
    liveSensorOf({ name: 'Nose', on: false, state: 'offline' }),
  ];
  const platform = livePlatformOf({ name: 'OSP-21', state: 'lost', sensors, securityClassification: 'CONFIDENTIAL' });
  await open([platform], `/live?platforms=${platform._id}`);

  expect((await player('EO')).textContent).toContain('Signal lost since 14:51:25 Z');
  expect((await player('IR')).textContent).toContain('Last seen Nov 04 2026, 14:51');
  expect((await player('Nose')).textContent).toContain('Switched off');
  // T-047: each player says how its picture is classified.
  for (const name of ['EO', 'IR', 'Nose']) expect((await player(name)).textContent).toContain('CONFIDENTIAL');
  await userEvent.click(within(screen.getByRole('treegrid')).getByText('OSP-21'));
});

it('says once that nothing is live, and once that nothing is shared', async () => {
  await open([livePlatformOf({ state: 'offline', sensors: [liveSensorOf({ state: 'offline' })] })]);
  expect(await screen.findByText('Nothing is live')).toBeDefined();
  cleanup();

  await open([], '/live', 'user');
  expect(await screen.findAllByText('Platforms that are shared with you appear here.')).toHaveLength(1);
  expect(screen.getAllByText('Nothing is live')).toHaveLength(1);
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

  await userEvent.click(await screen.findByRole('button', { name: /^Playback/ }));

  const items = screen.getAllByRole('menuitemradio').map(({ textContent }) => textContent);
  expect(items).toHaveLength(5);
  expect(items).toContain('WebRTCThe stream has B-frames, which WebRTC cannot show.');
  expect(items).toContain('Low latencyYour usergroups do not allow Low latency here.');
});

/** A WebRTC connection: it has gathered at once, and connects or fails when the test says so. */
class FakeConnection {
  static last: FakeConnection | null = null;
  connectionState = 'new';
  iceGatheringState = 'complete';
  localDescription = { sdp: 'v=0' };
  onconnectionstatechange: (() => void) | null = null;
  answered = false;
  constructor() {
    FakeConnection.last = this;
  }
  addTransceiver() {}
  setConfiguration() {}
  async setLocalDescription() {}
  async setRemoteDescription() {
    this.answered = true;
  }
  close() {}
  fail() {
    this.connectionState = 'failed';
    this.onconnectionstatechange?.();
  }
}

/** A buffer that takes H.264 and has nothing to show. */
class FakeMediaSource extends EventTarget {
  static isTypeSupported = (type: string) => type.includes('avc1');
  readyState = 'open';
}

class FakeSocket {
  static last: FakeSocket | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    FakeSocket.last = this;
  }
  close() {}
}

/** The chosen way, the warning of its button, and the reason next to the skipped way in the menu. */
async function takenInPlaceOf(way: string) {
  const button = await screen.findByRole('button', { name: /^Playback/ });
  await waitFor(() => expect(button.getAttribute('aria-label')).not.toBe(`Playback: ${way}`));
  await userEvent.click(button);
  const passed = screen.getByRole('menuitemradio', { name: new RegExp(`^${way}`) });
  return {
    taken: button.getAttribute('aria-label'),
    warning: button.title,
    listed: [passed.textContent, passed.getAttribute('aria-disabled')],
    best: screen.getByRole('menuitemradio', { name: /^Best/ }).textContent,
  };
}

async function openByWebRtc(answer: Answers[string]) {
  vi.stubGlobal('MediaSource', FakeMediaSource);
  vi.stubGlobal('RTCPeerConnection', FakeConnection);
  const answers = { 'GET /info': () => info, 'POST /live/:sensor/whep': answer };
  const platforms = [livePlatformOf({ sensors: [liveSensorOf({ name: 'EO', video })] })];
  await open(platforms, '/live', 'admin', { answers, flags: { useWebRtcVideo: true } });
}

it('takes the next way when the server refuses WebRTC, and says why on the player and in its menu', async () => {
  const reason = 'The stream has B-frames, which WebRTC cannot show.';

  await openByWebRtc(refusing('ruleRefused', { reason }));

  expect(await takenInPlaceOf('WebRTC')).toEqual({
    taken: 'Playback: HLS',
    warning: `WebRTC: ${reason}`,
    listed: [`WebRTC${reason}`, 'true'],
    best: `Best for this streamWebRTC: ${reason}`,
  });
});

it('takes the next way when WebRTC does not get through, and says so', async () => {
  await openByWebRtc(() => new WithHeaders('v=0', { location: `/api/live/${newId()}/whep/${newId()}` }));
  await waitFor(() => expect(FakeConnection.last?.answered).toBe(true));
  await screen.findByRole('button', { name: 'Playback: WebRTC' });

  act(() => FakeConnection.last?.fail());

  const reason = 'The network does not let WebRTC through.';
  expect(await takenInPlaceOf('WebRTC')).toMatchObject({
    ...{ taken: 'Playback: HLS', warning: `WebRTC: ${reason}`, listed: [`WebRTC${reason}`, 'true'] },
  });
});

it('takes the next way when a codec turns out that the browser does not play, and says so', async () => {
  vi.stubGlobal('MediaSource', FakeMediaSource);
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:live');
  const answers = { 'POST /tickets': () => ({ ticket: 'once' }) };
  const flags = { useLiveLowLatency: true };
  const platforms = [livePlatformOf({ sensors: [liveSensorOf({ name: 'EO', video })] })];
  await open(platforms, '/live', 'admin', { answers, flags });
  await screen.findByRole('button', { name: 'Playback: Low latency' });

  await waitFor(() => expect(FakeSocket.last?.onmessage).toBeTruthy());
  const data = JSON.stringify({ kind: 'video', mimeType: 'video/mp4; codecs="hvc1.1.6.L93.B0"', firstPts: 0 });
  act(() => FakeSocket.last?.onmessage?.({ data }));

  const reason = 'This browser does not play the codec of this stream.';
  expect(await takenInPlaceOf('Low latency')).toMatchObject({
    ...{ taken: 'Playback: HLS', warning: `Low latency: ${reason}` },
    listed: [`Low latency${reason}`, 'true'],
  });
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

it('leaves the panels as they are for keys that are pressed over a folded view', async () => {
  await open([livePlatformOf({ sensors: [liveSensorOf({ name: 'EO', video })] })]);
  await player('EO');
  await userEvent.click(screen.getByRole('button', { name: 'Collapse the live view' }));

  await userEvent.keyboard('mt');
  await userEvent.click(screen.getByRole('button', { name: 'Open the live view' }));

  expect(screen.getByRole('button', { name: 'Map' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('button', { name: 'Telemetry' }).getAttribute('aria-pressed')).toBe('true');
});
