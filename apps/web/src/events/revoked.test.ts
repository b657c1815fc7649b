import type { Job, Mission } from '@osprey/contract';
import { QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { documentOf } from '../testing/documents.ts';
import { missionOf, newId, sensorOf } from '../testing/fake-api.ts';
import { livePlatformOf } from '../testing/platforms.ts';
import { everythingChanged } from './invalidate.ts';
import { pageItems } from './items.ts';
import { itemsRevoked, namesNoItem } from './revoked.ts';

const [lostId, keptId] = [newId(), newId()];
const named = (name: string, _id: string): Mission =>
  missionOf({ name, _id, sensors: [sensorOf({ missionId: _id, name: `${name} EO` })] });
const [lost, retained] = [named('M2', lostId), named('M1', keptId)];
const [document, keptDocument] = [documentOf({ title: 'M2' }), documentOf({ title: 'M1' })];
const [platform, keptPlatform] = [livePlatformOf({ name: 'M2' }), livePlatformOf({ name: 'M1' })];
const [annotation, keptAnnotation] = [
  { _id: newId(), title: 'M2' },
  { _id: newId(), title: 'M1' },
];
const [ofCases, keptCase] = [
  { _id: newId(), name: 'M2' },
  { _id: newId(), name: 'M1' },
];
const [ofLists, keptList] = [
  { _id: newId(), name: 'M2' },
  { _id: newId(), name: 'M1' },
];
const jobOf = (fields: Partial<Job>) => ({ _id: newId(), missionId: null, documentId: null, ...fields });
const pagesOf = <Row>(rows: Row[]) => ({ pages: [{ rows, next: null, total: rows.length }], pageParams: [null] });
const reported = 'tells of M2';

type Cached = readonly (readonly [QueryKey, unknown])[];

/** Cache entries about one item of each kind. */
const ofItem = (
  mission: Mission,
  documentId: string,
  platformId: string,
  annotationId: string,
  caseId: string,
  listId: string,
): Cached => {
  const [sensor] = mission.sensors.map(({ _id }) => _id);
  const data = `of ${mission.name}`;
  return [
    [['missions', 'one', mission._id], mission],
    [['sensors', mission._id], mission.sensors],
    [['timeline', sensor], data],
    [['telemetry', sensor, 60_000_000], data],
    [['telemetry', sensor, 'course', 10], data],
    [['telemetrySet', sensor, 1], data],
    [['health', sensor], data],
    [['pictures', sensor], data],
    [['sheets', sensor], data],
    [['maplayer', 'area', mission._id], data],
    [['bookmarks', mission._id], data],
    [['clips', mission._id], data],
    [['videolist', mission._id], data],
    [['maplayer', 'path', sensor], data],
    [['maplayer', 'heatmap', sensor], data],
    [['documents', 'one', documentId], data],
    [['documents', 'text', documentId], data],
    [['platforms', 'config', platformId], data],
    [['annotations', 'one', annotationId], data],
    [['shiplists', 'one', listId], data],
    ...['one', 'parts', 'comments', 'exports', 'people'].map((what) => [['cases', what, caseId], data] as const),
  ];
};

/** Lists on screen whose rows are removed from the cache. */
const lists: Cached = [
  [['missions', 'list', {}, 'name'], pagesOf([lost, retained])],
  [['documents', 'page', {}, 'name', 20, null], { rows: [document, keptDocument], next: null }],
  [['platforms', 'list'], { platforms: [platform, keptPlatform], readAtMs: 0 }],
  [['annotations', 'rows', '', null, 'title'], pagesOf([annotation, keptAnnotation])],
  [
    ['annotations', 'shown', null],
    [annotation, keptAnnotation],
  ],
  [['cases', 'list', '', '-changed'], pagesOf([ofCases, keptCase])],
  [['rooms'], []],
  [['shiplists', 'all'], { rows: [ofLists, keptList], coloured: [ofLists] }],
  [['jobs'], [jobOf({ missionId: lostId, error: reported }), jobOf({ documentId: document._id, error: reported })]],
  [
    ['jobs', 'all'],
    [jobOf({ missionId: lostId, error: reported }), jobOf({ documentId: document._id, error: reported })],
  ],
];

const others: Cached = [
  ...[
    ['missions', 'count'],
    ['missions', 'named', 'M2'],
    ['missions', 'newest'],
  ],
  ...[['tags'], ['countryCodes', 'used'], ['exports'], ['imports']],
  ...[
    ['moments', document._id],
    ['snapshots', lostId],
    ['clipPlan', {}],
    ['sheetBytes', 'sensor', '/api/media/sensor/sheets/one.jpg'],
    ['lookback', 'place', 50],
    ['recordings', 0],
    ['lookback', 'find', {}, {}],
    ['lookback', 'searches'],
    ['lookback', 'hits'],
  ],
  ...['mission', 'mission-rows', 'bin', 'tags', 'named'].map((what) => ['annotations', what]),
  ...['search', 'bin', 'keys'].map((what) => ['cases', what]),
  ...[
    ['documents', 'count', {}],
    ['documents', 'tags'],
    ['documents', 'bin'],
    ['platforms', 'online'],
  ],
  ...[
    ['platforms', 'versions'],
    ['dashboard'],
    ['activity', {}],
    ['audit', {}],
    ['audit', 'actions'],
    ['sessions', {}],
    ['ais', 'targets', {}],
    ['ais', 'sources'],
    ['ais', 'vessel', 1],
    ['ais', 'listed', []],
    ['shiplists', 'with', 1],
    ['ais', 'span', {}],
    ['ais', 'heard', 0],
    ['ais', 'total', {}],
    ['live', 'kept', 'sensor', 0],
    ['ais', 'range', 'sensor'],
    ['ais', 'inframe', 'mission'],
    ['ais', 'filmed', 1, 5],
    ['ais', 'compared', 1, {}],
    ['ais', 'insight', '', {}],
  ],
  ...[['bin'], ['retention', 'rules'], ['retention', 'forecast'], ['intake', 'folders'], ['intake', 'files']],
].map((key) => [key, reported]);

const all: Cached = [
  ...ofItem(lost, document._id, platform._id, annotation._id, ofCases._id, ofLists._id),
  ...lists,
  ...others,
];

const files: Record<string, string> = import.meta.glob(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!./*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** All that the client's code keeps, by the first words of its keys. */
function keysInCode(): string[] {
  // Invalidation and recovery name the beginning of a key only.
  const code = Object.values(files)
    .join('\n')
    .replaceAll(/Queries(?:Data)?(?:<\w+>)?\(\s*\{[^}]*\}/g, '');
  const keys = code.matchAll(/key(?!s\b)\w*\s*[:=]\s*\[\s*'([\w-]+)'(?:,\s*'([\w-]+)')?/gi);
  return [...new Set(Array.from(keys, ([, noun, what]) => (what === undefined ? noun! : `${noun} ${what}`)))];
}

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

const never = () => new Promise<never>(() => undefined);

/** A page that has read all of this; queries that `isShown` accepts are on screen. No request is answered any more. */
function pageWith(entries: Cached, isShown: (key: QueryKey) => boolean = () => false) {
  const queries = new QueryClient();
  for (const [queryKey, data] of entries) {
    queries.setQueryData(queryKey, data);
    if (!isShown(queryKey)) continue;
    const observer = new QueryObserver(queries, { queryKey, queryFn: never, staleTime: Number.POSITIVE_INFINITY });
    open.push(observer.subscribe(() => undefined));
  }
  const read = () => queries.getQueryCache().getAll();
  return {
    queries,
    text: () => JSON.stringify(read().map(({ state }) => state.data ?? null)),
    keys: () => read().map(({ queryKey }) => queryKey),
    asked: () =>
      queries
        .getQueryCache()
        .findAll({ fetchStatus: 'fetching' })
        .map(({ queryKey }) => queryKey),
  };
}

it('T-036 knows each key that the client keeps answers under', () => {
  const known = all.map(([key]) => key.filter((part) => typeof part === 'string').join(' '));
  // Keys of the table of items are tested for each item of it (EventsProvider.test.tsx).
  const ofTable = pageItems.flatMap(({ one, lists: own }) =>
    [...one, ...own.map(({ key }) => key)].map((key) => key.join(' ')),
  );
  const isKnown = (key: string) =>
    ofTable.some((one) => key === one || key.startsWith(`${one} `)) ||
    namesNoItem.has(key.split(' ')[0]) ||
    known.some((one) => one === key || one.startsWith(`${key} `));

  const keys = keysInCode();

  expect(keys.length).toBeGreaterThan(40);
  expect(keys.filter((key) => !isKnown(key))).toEqual([]);
});

const nounOf = ([noun]: QueryKey) =>
  noun === 'documents' || noun === 'platforms' || noun === 'annotations' || noun === 'cases' || noun === 'shiplists'
    ? noun
    : 'missions';
const keysOf = (entries: Cached) => entries.map(([key]) => key);

const losses = [
  { how: 'by name', noun: 'missions', ids: [lostId] },
  { how: 'by name', noun: 'documents', ids: [document._id] },
  { how: 'by name', noun: 'platforms', ids: [platform._id] },
  { how: 'by name', noun: 'annotations', ids: [annotation._id] },
  { how: 'by name', noun: 'cases', ids: [ofCases._id] },
  { how: 'by name', noun: 'shiplists', ids: [ofLists._id] },
  { how: 'as too many', noun: 'missions', ids: [], all: true },
  { how: 'as too many', noun: 'documents', ids: [], all: true },
  { how: 'as too many', noun: 'platforms', ids: [], all: true },
  { how: 'as too many', noun: 'annotations', ids: [], all: true },
  { how: 'as too many', noun: 'cases', ids: [], all: true },
  { how: 'as too many', noun: 'shiplists', ids: [], all: true },
] as const;

/** Entries that a page has read of lost items, and of items that stay. */
function readBefore(loss: (typeof losses)[number]) {
  const isOf = ([key]: Cached[number]) => nounOf(key) === loss.noun;
  const about = ofItem(lost, document._id, platform._id, annotation._id, ofCases._id, ofLists._id).filter(isOf);
  const rows = lists.filter(([key]) => key[0] === loss.noun);
  // Jobs of another item are not lost.
  const hasJobs = loss.noun === 'missions' || loss.noun === 'documents';
  const jobs = hasJobs ? lists.filter(([key]) => key[0] === 'jobs') : [];
  const stays = ofItem(
    retained,
    keptDocument._id,
    keptPlatform._id,
    keptAnnotation._id,
    keptCase._id,
    keptList._id,
  ).filter((entry) => !('all' in loss && isOf(entry)));
  const apart: Cached = [...namesNoItem].map((noun) => [[noun], 'of no item']);
  return {
    about,
    rows,
    jobs: jobs.map(([key, list]) => [key, (list as Job[]).filter(isOfNoun(loss.noun))] as const),
    stays,
    apart,
  };
}
const isOfNoun = (noun: string) => (job: Job) => (noun === 'missions' ? job.missionId : job.documentId) !== null;

it.each(losses)(
  'T-036 keeps nothing of $noun told $how that is not on screen, and keeps what tells of others',
  (loss) => {
    const { about, rows, jobs, stays, apart } = readBefore(loss);
    const page = pageWith([...about, ...rows, ...jobs, ...others, ...stays, ...apart]);

    itemsRevoked(page.queries, loss);

    expect(page.text()).not.toContain('M2');
    expect(page.keys()).toEqual(expect.arrayContaining(keysOf([...stays, ...apart])));
    expect(page.asked()).toEqual([]);
  },
);

it.each(losses)(
  'T-036 takes $noun told $how from the screen before the server answers, and asks for what may tell of them',
  (loss) => {
    const { about, rows, jobs, stays, apart } = readBefore(loss);
    const page = pageWith([...about, ...rows, ...jobs, ...others, ...stays, ...apart], () => true);

    itemsRevoked(page.queries, loss);

    const shown = (entries: Cached) =>
      JSON.stringify(keysOf(entries).map((key) => page.queries.getQueryData(key) ?? null));
    expect(shown([...about, ...rows, ...jobs])).not.toContain('M2');
    if ('all' in loss) expect(page.text()).not.toContain('M2');
    else expect(shown(rows)).toContain('M1');
    expect(page.asked()).toEqual(expect.arrayContaining(keysOf(others)));
    for (const key of keysOf([...stays, ...apart])) expect(page.asked()).not.toContainEqual(key);
  },
);

it('T-036 asks for nothing of a lost mission that is open, nor again for the thousands of rows of its list', () => {
  const [loss] = losses;
  const { about, rows } = readBefore(loss);
  const page = pageWith([...about, ...rows], () => true);

  itemsRevoked(page.queries, loss);

  expect(page.asked()).toEqual([]);
});

it('T-036 forgets at a reconnect what is not on screen, since losses of the meantime were not reported', () => {
  const apart: Cached = [...namesNoItem].map((noun) => [[noun], 'of no item']);
  const isShown = ([noun]: QueryKey) => noun === 'tags';
  const page = pageWith([...all, ...apart], isShown);

  everythingChanged(page.queries);

  const retained = page.keys();
  expect(retained.toSorted()).toEqual([...keysOf(apart), ['tags']].toSorted());
  expect(page.asked()).toEqual([['tags']]);
});
