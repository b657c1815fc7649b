import type { SitePlace, SitePlaceList, SitePlaceProblem } from '@osprey/contract';
import { SITE_PLACES_MAX } from '@osprey/contract';
import { expect, it } from 'vitest';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';

const server = await testServer();
const [admin, user] = [askAs(server, 'A2'), askAs(server, 'U0')];
const LIST = '/api/places/list';
type Put = { list: SitePlaceList | null; problems: SitePlaceProblem[]; count: number };

const put = async (text: string, fileName = 'places.csv') => (await admin.put<Put>(LIST, { fileName, text })).body;
const namesFound = async (search: string) =>
  (await user.get<SitePlace[]>(`/api/places?search=${encodeURIComponent(search)}`)).body.map(({ name }) => name);

it('takes a list, finds its places by name without marks and capitals, and replaces it as a whole', async () => {
  const text = [
    '\ufeffName;Latitude;Longitude;Kind',
    'Ermoúpoli pier 2;37,4440;24,9410;harbour',
    '',
    '"Pier; north ""A""";37.5;24.25;',
    'Old ERMOUPOLI;-37.1;-24.9;ruin',
  ];
  const { list, problems } = await put(text.join('\r\n'));
  expect(problems).toEqual([]);
  expect(list).toMatchObject({ count: 3, fileName: 'places.csv', by: 'A2' });
  expect((await admin.get(LIST)).body).toEqual({ list });

  expect(await namesFound('ermoup')).toEqual(['Ermoúpoli pier 2', 'Old ERMOUPOLI']);
  expect(await namesFound('NORTH')).toEqual(['Pier; north "A"']);
  expect(await namesFound('%')).toEqual([]);
  const [pier] = (await user.get<SitePlace[]>('/api/places?search=pier%202')).body;
  expect(pier?.name).toBe('Ermoúpoli pier 2');
  const [complete] = (await user.get<SitePlace[]>('/api/places?search=ermoupoli%20pier&limit=1')).body;
  expect(complete).toEqual({ name: 'Ermoúpoli pier 2', kind: 'harbour', lat: 37.444, lon: 24.941 });

  await put('name,lat,lon\nKea,37.6,24.3\n', 'other.csv');
  expect([await namesFound('ermoup'), await namesFound('kea')]).toEqual([[], ['Kea']]);
  const noted = await server.db.selectFrom('audit').select(['result', 'reason']).where('action', '=', 'places.manage');
  expect((await noted.orderBy('seq').execute()).slice(-1)).toEqual([{ result: '1 places', reason: 'other.csv' }]);
  expect((await admin.delete(LIST)).status).toBe(200);
  expect([(await admin.get(LIST)).body, await namesFound('kea')]).toEqual([{ list: null }, []]);
});

it('says line by line what is wrong, and keeps the list as it was', async () => {
  await put('name,latitude,longitude\nKea,37.6,24.3\n');
  const wrong = [
    'name,latitude,longitude,kind',
    'Good,1,2,x',
    ',1,2,x',
    'North,91,2,x',
    'East,1,181,x',
    'Words,one,2,x',
    'Short,1',
    '"Open,1,2,x',
    'Broken \ufffd,1,2,x',
    `${'n'.repeat(129)},1,2,x`,
    `Kind,1,2,${'k'.repeat(41)}`,
  ];
  const { list, problems, count } = await put(wrong.join('\n'));
  expect([list, count]).toEqual([null, 9]);
  expect(problems.map(({ line, text }) => `${line} ${text}`)).toEqual([
    '3 The name is missing.',
    '4 The latitude "91" is no number from -90 to 90.',
    '5 The longitude "181" is no number from -180 to 180.',
    '6 The latitude "one" is no number from -90 to 90.',
    '7 The longitude "" is no number from -180 to 180.',
    '8 A cell begins with a quotation mark and does not end with one.',
    '9 It has characters that are not text. Save the file as UTF-8.',
    '10 The name is longer than 128 characters.',
    '11 The kind is longer than 40 characters.',
  ]);
  expect(await namesFound('kea')).toEqual(['Kea']);
});

it.each<[string, string, number, string]>([
  ['nothing', '', 1, 'There is no name.'],
  ['no longitude', 'name,lat\nKea,1', 1, 'There is no longitude.'],
  ['a head alone', 'name,lat,lon\n', 1, 'The list has no places.'],
  [
    'too many',
    `name,lat,lon\n${'Kea,1,2\n'.repeat(SITE_PLACES_MAX + 1)}`,
    SITE_PLACES_MAX + 2,
    'more than 50000 places',
  ],
  ['too much', `name,lat,lon\n${'Kea,1,2'.padEnd(4_200_000, ' ')}`, 1, 'larger than 4 MiB'],
])('refuses %s', async (_what, text, line, words) => {
  const { problems } = await put(text);
  expect(problems[0]).toMatchObject({ line, text: expect.stringContaining(words) });
});
