// @vitest-environment jsdom
import { getTelemetry, type Info, NO_PLATFORM_NAME } from '@osprey/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addressOf } from '../../api/http-api.ts';
import { info } from '../../testing/show.tsx';
import { missionRow, sensorRow, timelineOf } from '../../testing/view-services.ts';
import { begunPicture, takeHls } from '../hls/hls-source.ts';
import { begin } from './begin.ts';
import { keepPlace } from './first-place.ts';

const place = { left: 60, top: 112, width: 640, height: 360 };
let reported: VideoFrameRequestCallback[] = [];
let count = 0;

beforeEach(() => {
  document.body.innerHTML = '<div id="root"></div>';
  localStorage.clear();
  reported = [];
  HTMLVideoElement.prototype.requestVideoFrameCallback = (callback) => reported.push(callback);
});
afterEach(() => void Reflect.deleteProperty(HTMLVideoElement.prototype, 'requestVideoFrameCallback'));

type Given = { link?: string; reported?: Partial<Info>; sensors?: ReturnType<typeof sensorRow>[] };

/** Opens a link to a mission with a record in each second, whose frame centre is at as many degrees of latitude. */
function open({ link = '', reported: more = {}, sensors }: Given = {}) {
  count += 1;
  const leader = sensorRow({ name: 'EO/IR', hlsProps: { ...sensorRow().hlsProps!, url: `/${count}.m3u8` } });
  const ask = vi.fn(async (_path: string, query: Record<string, string>) => {
    const [from, to] = [Number(query.from), Number(query.to)];
    const time = [];
    for (let second = Math.max(0, Math.ceil(from / 1e6)); second * 1e6 <= to; second += 1) time.push(second * 1e6);
    const tags = { 23: time.map((us) => us / 1e6), 24: time.map(() => 24) };
    return { sensor: leader._id, from, to, more: false, time, tags, sets: [], failed: [] } as never;
  });
  const mission = missionRow([leader], { name: 'KEA', securityClassification: 'SECRET', marked: true });
  mission.platform.name = NO_PLATFORM_NAME;
  const answers: Parameters<typeof begin>[0]['answers'] = [
    Promise.resolve(mission),
    Promise.resolve(timelineOf(leader)),
    Promise.resolve({ ...info, ...more } as Info),
  ];
  const opened = { sensors: sensors ?? [leader], leader, link: new URLSearchParams(link), answers, ask };
  const video = () => begunPicture(leader.hlsProps!.url)!;
  return { done: begin(opened), ask, video, url: leader.hlsProps!.url };
}

const firstPicture = () => document.querySelector<HTMLElement>('#first-sight section');

/** The browser has painted the picture of this media time, seconds. */
async function paint(mediaTime: number): Promise<void> {
  await vi.waitFor(() => expect(reported).toHaveLength(1));
  reported.pop()!(0, { mediaTime } as VideoFrameCallbackMetadata);
}

it('shows whose picture comes and its label, in the place where it was before', async () => {
  keepPlace(1, place);
  const { video } = open();

  await vi.waitFor(() => expect(firstPicture()).not.toBeNull());

  expect(firstPicture()!.textContent).toBe('EO/IRKEASECRET');
  expect(firstPicture()!.previousElementSibling!.textContent).toBe('SECRET');
  expect(firstPicture()!.style).toMatchObject({ left: '60px', top: '112px', width: '640px', height: '360px' });
  expect(firstPicture()!.contains(video())).toBe(true);
});

it('shows the picture with its telemetry, and says so', async () => {
  keepPlace(1, place);
  const { done } = open();

  await paint(3.2);
  await done;

  expect(firstPicture()!.textContent).toContain('Frame 3°00');
  expect(firstPicture()!.dataset.frameTimeUs).toBe('3200000');
  expect(firstPicture()!.querySelector('canvas')!.dataset.recordTimeUs).toBe('3000000');
});

it("shows the telemetry with the delay of the installation's setting", async () => {
  keepPlace(1, place);
  const { done } = open({ link: 't=100000000', reported: { playbackDataDelay: 2000 } });

  await paint(100);
  await done;

  expect(firstPicture()!.querySelector('canvas')!.dataset.recordTimeUs).toBe('98000000');
});

it('shows the moment of a link', async () => {
  keepPlace(1, place);
  const { done, ask, video } = open({ link: 't=100000000' });

  // The first picture is too early; the next one has the requested time.
  await paint(99.96);
  await vi.waitFor(() => expect(video().currentTime).toBe(100.001));
  await paint(100);
  await done;

  // The client makes the same request later: it gets that answer.
  const { path } = getTelemetry;
  const { missionId: mission, _id: sensor } = sensorRow();
  const address = addressOf(path, { params: { mission, sensor } }).slice('/api'.length);
  expect(ask).toHaveBeenCalledWith(address, { from: '99000000', to: '104999999' });
  expect(firstPicture()!.dataset.frameTimeUs).toBe('100000000');
});

it('is shown without telemetry where there is none', async () => {
  keepPlace(1, place);
  const { done, ask } = open();
  ask.mockRejectedValue(new Error('away'));

  await paint(3.2);
  await done;

  expect(firstPicture()!.textContent).toContain('No telemetry');
});

it.each([
  ['the picture never stood in such a window', { kept: 0 }],
  ['the link names other sensors', { link: 'sensors=a' }],
  ['the link names the health of the telemetry', { link: 'health=a' }],
  ['the link names a moment that was not recorded', { link: 't=2000000000' }],
  ['another sensor stands first', { sensors: [sensorRow()] }],
])('shows nothing where %s', async (_why, { kept = 1, ...given }: Given & { kept?: number }) => {
  keepPlace(kept, place);

  await open(given).done;

  expect(firstPicture()).toBeNull();
});

it('shows nothing before a page that has come first', async () => {
  keepPlace(1, place);
  document.getElementById('root')!.innerHTML = '<p>here</p>';

  await open().done;

  expect(firstPicture()).toBeNull();
});

it('goes when no player has taken the picture some seconds after the page came', async () => {
  vi.useFakeTimers();
  keepPlace(1, place);
  open();
  await vi.waitFor(() => expect(firstPicture()).not.toBeNull());

  document.getElementById('root')!.innerHTML = '<p>here</p>';
  await vi.advanceTimersByTimeAsync(3_001);

  expect(firstPicture()).toBeNull();
  vi.useRealTimers();
});

it('leaves the recording to its player', async () => {
  const { url, video } = open();
  const picture = video();

  const source = takeHls(url);
  source.end();

  expect(picture).toBeInstanceOf(HTMLVideoElement);
  expect(begunPicture(url)).toBeNull();
});
