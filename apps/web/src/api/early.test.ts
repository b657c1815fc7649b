// @vitest-environment jsdom
import {
  authenticated,
  type Call,
  getInfo,
  getMission,
  getSensorTimeline,
  listSensors,
  ownGroups,
} from '@osprey/contract';
import { beforeEach, expect, it, vi } from 'vitest';
import script from '../../public/early.js?raw';
import { storeCredentials } from './credentials.ts';
import { takeEarly } from './early.ts';
import { addressOf, httpApi } from './http-api.ts';

const ana = { username: 'ana', credential: 'ü:secret' };
const MISSION = 'EO/IR 1';
const sensors = [
  { _id: 's1', missionId: 'm1', hlsProps: { url: '/x.m3u8' } },
  { _id: 's2', missionId: 'm1', hlsProps: null },
];
const answer = (address: string) => (address.startsWith('/api/sensors?') ? sensors : { address });
const sent = vi.fn<typeof fetch>(async (address) => new Response(JSON.stringify(answer(String(address)))));

/** Runs the script as a page at this address does that has come just now. */
async function open(address: string, load = (file: string) => import(/* @vite-ignore */ file)): Promise<string[]> {
  history.replaceState(null, '', address);
  // The script's imports are code of the build, which does not exist in tests.
  new Function('importFile', script.replaceAll('import(', 'importFile('))(load);
  await vi.waitFor(() => expect(sent.mock.settledResults.every(({ type }) => type === 'fulfilled')).toBe(true));
  return sent.mock.calls.map(([asked]) => String(asked));
}

/** Only what is of this test: the styles of others stay in their order. */
function clearHead(): void {
  for (const element of document.head.querySelectorAll('meta, link')) element.remove();
}

function nameCode(files: Record<string, string[]>): void {
  clearHead();
  const meta = document.createElement('meta');
  Object.assign(meta, { name: 'osprey-code', content: JSON.stringify(files) });
  document.head.append(meta);
}

const named = { missions: ['/assets/list.js'], mission: ['/assets/view.js', '/assets/view.css'] };

/** The code that it fetches at this address: how, and which. */
async function linksAt(address: string, files: Record<string, string[]> = named): Promise<string[]> {
  nameCode(files);
  await open(address);
  return [...document.querySelectorAll('link')].map((link) => `${link.rel} ${link.getAttribute('href')}`);
}

const addressesOf = (calls: [Call, Parameters<typeof addressOf>[1]][]) =>
  calls.map(([call, input]) => addressOf(call.path, input));
const whoWeAre: [Call, object][] = [
  [authenticated, {}],
  [ownGroups, {}],
  [getInfo, {}],
];

beforeEach(() => {
  vi.stubGlobal('fetch', sent.mockClear());
  clearHead();
  globalThis.ospreyEarly = undefined;
  localStorage.removeItem('codeVisits');
  storeCredentials(ana);
});

it('asks who we are at the addresses of the contract', async () => {
  expect(await open('/documents')).toEqual(addressesOf(whoWeAre));
});

it('asks for the mission of a link, its sensors, and the timelines of those with pictures', async () => {
  await open(`/missions?mission=${encodeURIComponent(MISSION)}`);

  const ofMission: [Call, object][] = [
    [getMission, { params: { mission: MISSION } }],
    [listSensors, { query: { missionIdOrName: MISSION } }],
    [getSensorTimeline, { params: { mission: 'm1', sensor: 's1' } }],
  ];
  const requested = addressesOf([...whoWeAre, ...ofMission]);
  await vi.waitFor(() => expect(sent.mock.calls.map(([asked]) => asked)).toEqual(requested));
});

it('asks nothing for those who are not known yet', async () => {
  storeCredentials(null);

  expect(await open('/missions?mission=m1')).toEqual([]);
});

it('hands an answer out once, to the client with the same credential', async () => {
  await open('/missions');
  const later = vi.fn<typeof fetch>(async () => Response.json({}));
  const api = httpApi({ credentials: () => ana, early: takeEarly, fetch: later });

  // The answer does not have the shape of this call: it was read.
  await expect(api.call(getInfo, {})).rejects.toThrow();
  expect(later).not.toHaveBeenCalled();
  await expect(api.call(getInfo, {})).rejects.toThrow();
  expect(later).toHaveBeenCalledTimes(1);

  const other = httpApi({ credentials: () => ({ ...ana, username: 'ben' }), early: takeEarly, fetch: later });
  await expect(other.call(ownGroups, {})).rejects.toThrow();
  expect(later).toHaveBeenCalledTimes(2);
});

it('hands out nothing that is older than 5 s', async () => {
  await open('/missions');
  const { authorization, atMs } = globalThis.ospreyEarly!.get('/api/info')!;
  const now = vi.spyOn(performance, 'now').mockReturnValue(atMs + 5_001);

  expect(takeEarly('/api/info', authorization)).toBeNull();
  now.mockRestore();
});

it('loads the code that the page names: that of the list, and for a link that of the view too', async () => {
  expect(await linksAt('/users')).toEqual([]);
  expect(await linksAt('/missions')).toEqual(['modulepreload /assets/list.js']);
  localStorage.removeItem('codeVisits');
  expect(await linksAt('/missions?mission=m1')).toEqual([
    'modulepreload /assets/list.js',
    'modulepreload /assets/view.js',
    'preload /assets/view.css',
  ]);
});

it('fetches code as scripts from the third visit on, until there is another build', async () => {
  const first = { first: ['/assets/zod.js', '/assets/first-1.js'] };
  const asModules = ['modulepreload /assets/zod.js', 'modulepreload /assets/first-1.js'];

  expect(await linksAt('/users', first)).toEqual(asModules);
  expect(await linksAt('/users', first)).toEqual(asModules);
  expect(await linksAt('/users', first)).toEqual(['preload /assets/zod.js', 'preload /assets/first-1.js']);
  expect(globalThis.ospreyCodeRel).toBe('preload');

  expect(await linksAt('/users', { first: ['/assets/first-2.js'] })).toEqual(['modulepreload /assets/first-2.js']);
  expect(globalThis.ospreyCodeRel).toBe('modulepreload');
});

it('brings the client though the storage is full', () => {
  nameCode({ first: ['/assets/first.js'] });
  const listening = vi.spyOn(globalThis, 'addEventListener');
  const storing = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });

  expect(() => new Function(script)()).toThrow('full');
  expect(listening).toHaveBeenCalledWith('DOMContentLoaded', expect.any(Function));
  listening.mockRestore();
  storing.mockRestore();
});

it('keeps what the first picture needs, also where the client has read the same answer before', async () => {
  const player = Promise.withResolvers<{ begin: (opened: { answers: Promise<unknown>[] }) => void }>();
  const begun = Promise.withResolvers<unknown[]>();
  nameCode({ player: ['/assets/player.js'] });
  await open(`/missions?mission=${encodeURIComponent(MISSION)}`, () => player.promise);
  await vi.waitFor(() => expect(globalThis.ospreyEarly?.size).toBe(6));

  // The client is there before the code of the player is, and reads all that was asked.
  const asked = [...globalThis.ospreyEarly!].map(([address, { authorization }]) => takeEarly(address, authorization));
  await Promise.all(asked.map(async (taken) => (await taken)?.json()));
  player.resolve({ begin: ({ answers }) => Promise.all(answers).then(begun.resolve, begun.reject) });

  expect(await begun.promise).toEqual([
    { address: '/api/missions/EO%2FIR%201' },
    { address: '/api/sensors/timeline/m1/s1' },
    { address: '/api/info' },
  ]);
});

it.each([
  ['/missions', 'places'],
  ['/', 'places'],
  ['/missions?mission=Kea', 'mission'],
  ['/live', 'view'],
  ['/find', 'map'],
  ['/map?t=1', 'map'],
  ['/documents', 'table'],
  ['/users', 'table'],
  ['/admin', 'cards'],
  ['/storage', 'cards'],
  ['/login', 'entry'],
  ['/help/keys', 'entry'],
])('gives the first paint of %s the frame of its layout', async (address, frame) => {
  await open(address);

  expect(document.documentElement.dataset.frame).toBe(frame);
});
