import type { Mission } from '@osprey/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { fastestMs } from '../../../test/fastest.ts';
import { addMission, addSensor } from '../../../test/missions.ts';
import { numbers } from '../../../test/numbers.ts';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';

const server = await testServer();
const { db } = server;
const groups = server.groups as Record<'G1' | 'G2', string>;
const { get } = askAs(server, 'SA');

beforeEach(async () => {
  await db.deleteFrom('missions').execute();
});

const names = async (query: string) =>
  (await get<Mission[]>(`/api/missions/brief?${query}`)).body.map((one) => one.name);
const json = (value: object) => encodeURIComponent(JSON.stringify(value));

async function seenAt(name: string, shapes: { mode?: string; shape: string }[]) {
  const id = await addMission(db, { name, state: 'Ready' });
  const sensor_id = await addSensor(db, id);
  const rows = shapes.map(({ mode = 'sensorArea', shape }) => ({ mission_id: id, sensor_id, aoi_mode: mode, shape }));
  await db.insertInto('mission_shapes').values(rows).execute();
  return id;
}

describe('filters of the list', () => {
  it('finds missions that overlap a time, and drafts by their creation', async () => {
    await addMission(db, { name: 'early', start_time: 1000, end_time: 2000 });
    await addMission(db, { name: 'late', start_time: 3000, end_time: 4000 });
    await addMission(db, { name: 'draft', creation_time: 3500 });

    expect((await names('start=2500')).sort()).toEqual(['draft', 'late']);
    expect(await names('end=2500')).toEqual(['early']);
    expect(await names('start=1500&end=1600')).toEqual(['early']);
    expect((await names(`end=${encodeURIComponent('1970-01-01T00:00:00.003500Z')}`)).sort()).toEqual(
      (await names('end=3000')).sort(),
    );
  });

  it('refuses a forged place of a page, and accepts any number as one', async () => {
    await addMission(db, { rating: 3 });
    const behind = (sort: string, value: unknown) => {
      const after = Buffer.from(JSON.stringify([sort, value, crypto.randomUUID()])).toString('base64url');
      return get(`/api/missions/brief?limit=1&sort=${sort}&after=${after}`);
    };

    const refused = [await behind('-creationTime', 'x'), await behind('-creationTime', 1.5), await behind('name', 7)];
    const large = [await behind('rating', 1e12), await behind('-rating', -1e12)];

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(large.map(({ status, body }) => [status, body])).toEqual([
      [200, []],
      [200, []],
    ]);
  });

  it('answers which of some missions another filter leaves', async () => {
    const sea = await addMission(db, { name: 'sea', tags: ['sea'] });
    const land = await addMission(db, { name: 'land', tags: ['land'] });
    await addMission(db, { name: 'other', tags: ['sea'] });

    expect((await names(`ids=${sea},${land}`)).sort()).toEqual(['land', 'sea']);
    expect(await names(`ids=${sea},${land}&tags=sea`)).toEqual(['sea']);
    expect((await get(`/api/missions/brief?ids=all`)).status).toBe(400);
  });

  it('takes any of several tags, countries and groups', async () => {
    const usergroup_id = groups.G1;
    const id = await addMission(db, { name: 'a', tags: ['sea', 'night'], country_code: 'GR' });
    await addMission(db, { name: 'b', tags: ['land'], country_code: 'FR' });
    await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id }).execute();

    expect(await names('tags=night,rain')).toEqual(['a']);
    expect((await names('tags=night&tags=land')).sort()).toEqual(['a', 'b']);
    expect(await names('country_codes=GR')).toEqual(['a']);
    expect(await names(`usergroups=${usergroup_id}`)).toEqual(['a']);
  });

  it('takes all filters of the specification in one question, and answers with ids and names', async () => {
    const fields = { start_time: 1000, end_time: 2000, tags: ['sea'], country_code: 'GR' };
    const id = await seenAt('met', [{ shape: '((24,37),(25,37),(25,38),(24,38))' }]);
    await db.updateTable('missions').set(fields).where('id', '=', id).execute();
    await db.insertInto('mission_usergroups').values({ mission_id: id, usergroup_id: groups.G1 }).execute();
    const asked: Record<string, string> = {
      ...{ start: '1500', end: '1600', tags: 'sea', country_codes: 'GR', usergroups: groups.G1 },
      ...{ geometry: '24.2,37.2,24.8,37.8', aoiMode: 'sensorArea' },
    };

    const found = await get<Mission[]>(`/api/missions/brief?${new URLSearchParams(asked)}`);

    expect(found.body).toMatchObject([{ _id: id, name: 'met' }]);
    const others = { start: '2500', end: '900', tags: 'land', country_codes: 'FR', usergroups: groups.G2 };
    for (const [name, value] of Object.entries({ ...others, aoiMode: 'platformPath' })) {
      expect(await names(String(new URLSearchParams({ ...asked, [name]: value }))), name).toEqual([]);
    }
  });

  it('T-109 searches words literally', async () => {
    await addMission(db, { name: '100%', description: 'a_b', tags: ["o'clock"] });
    await addMission(db, { name: 'other', description: 'axb' });

    expect(await names('search=%25')).toEqual(['100%']);
    expect(await names('search=a_b')).toEqual(['100%']);
    expect(await names("search=o'clock%20100")).toEqual(['100%']);
    expect(await names('search=%5C')).toEqual([]);
    expect(await names(`search=${encodeURIComponent('.*.*.*x')}`)).toEqual([]);
  });

  it('finds the same missions as a search of each field, whatever the texts', async () => {
    const draw = numbers(48);
    const random = (below: number) => Math.floor(draw() * below);
    const letters = [...'aAbBzZéÉèßİıΣσςñÑ北🚢0123%_\\"\'.-;'];
    const text = (longest: number, from = letters) =>
      Array.from({ length: random(longest + 1) }, () => from[random(from.length)]).join('');
    const spaced = [...letters, ' ', ' ', '\n', '\t', '\u00a0'];
    const tagOf = () => text(8, [...letters, ' ']);
    for (let n = 0; n < 120; n += 1) {
      const tags = Array.from({ length: random(4) }, tagOf);
      await addMission(db, {
        ...{ name: `${n} ${text(12, spaced)}`, description: text(40, spaced), platform_name: text(8, spaced), tags },
      });
    }
    const isFound = (word: string) => {
      const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
      return sql<boolean>`(name ilike ${pattern} or description ilike ${pattern} or platform_name ilike ${pattern}
        or array_to_string(tags, ' ') ilike ${pattern})`;
    };

    let hits = 0;
    for (let n = 0; n < 150; n += 1) {
      const search = `${text(3)} ${text(random(3))}`;
      const words = search.split(/\s+/).filter((word) => word !== '');
      let expected = db.selectFrom('missions').select('name');
      for (const word of words) expected = expected.where(isFound(word));
      const found = (await expected.execute()).map(({ name }) => name).sort();

      expect((await names(`search=${encodeURIComponent(search)}`)).sort(), JSON.stringify(search)).toEqual(found);
      if (found.length < 120) hits += found.length;
    }
    expect(hits).toBeGreaterThan(100);
  });

  it('finds a mission by what its fields are now', async () => {
    const id = await addMission(db, { name: 'first', description: 'second', platform_name: 'third', tags: ['fourth'] });
    const changes = { name: 'Été', description: 'Älv', platform_name: 'Øre', tags: ['harbour', 'Ñandú'] };

    for (const [field, value] of Object.entries(changes)) {
      await db
        .updateTable('missions')
        .set({ [field]: value })
        .where('id', '=', id)
        .execute();
    }

    for (const word of ['Été', 'Älv', 'Øre', 'HARB', 'andú']) {
      expect(await names(`search=${encodeURIComponent(word)}`), word).toEqual(['Été']);
    }
    for (const word of ['first', 'second', 'third', 'fourth', 'ete']) expect(await names(`search=${word}`)).toEqual([]);
  });

  it('compares areas exactly, not by their boxes', async () => {
    // An L around the square that is asked for, and a bar that crosses it.
    await seenAt('around', [{ shape: '((0,0),(10,0),(10,1),(1,1),(1,10),(0,10))' }]);
    await seenAt('across', [{ shape: '((4,6),(9,6),(9,7),(4,7))' }]);
    const square = {
      type: 'Polygon',
      coordinates: [
        [
          [5, 5],
          [8, 5],
          [8, 8],
          [5, 8],
          [5, 5],
        ],
      ],
    };

    expect(await names(`geometry=${json(square)}`)).toEqual(['across']);
    expect(await names('geometry=5,5,8,8')).toEqual(['across']);
    expect((await names('geometry=-1,-1,20,20')).sort()).toEqual(['across', 'around']);
  });

  it('keeps the modes of an area apart; a path is met where it runs', async () => {
    await seenAt('path', [{ mode: 'platformPath', shape: '((0,0),(10,10))' }]);
    await seenAt('point', [{ mode: 'frameCenter', shape: '((3,3))' }]);

    expect(await names('geometry=2,2,4,4&aoiMode=platformPath')).toEqual(['path']);
    expect(await names('geometry=2,2,4,4&aoiMode=frameCenter')).toEqual(['point']);
    expect(await names('geometry=2,2,4,4')).toEqual([]);
    expect(await names('geometry=6,2,8,4&aoiMode=platformPath')).toEqual([]);
  });

  it('meets a line neither inside of a curve, nor between its ends', async () => {
    await seenAt('curve', [{ mode: 'platformPath', shape: '((0,0),(10,0),(10,10),(0,10))' }]);
    const around = [-1, 3, 3, -1].map((lon, corner) => [lon, corner < 2 ? -2 : 12]);
    const bent = [
      [-1, 12],
      [-1, -2],
      [12, -2],
      [12, -1],
      [0.5, 5],
      [12, 11],
      [12, 12],
      [-1, 12],
    ]; // prettier-ignore
    const area = (ring: number[][]) =>
      `geometry=${json({ type: 'Polygon', coordinates: [ring] })}&aoiMode=platformPath`;

    expect(await names('geometry=4,4,6,6&aoiMode=platformPath')).toEqual([]);
    expect(await names('geometry=-1,4,1,6&aoiMode=platformPath')).toEqual([]);
    expect(await names('geometry=4,-1,6,1&aoiMode=platformPath')).toEqual(['curve']);
    expect(await names('geometry=-1,-1,11,11&aoiMode=platformPath')).toEqual(['curve']);
    expect(await names(area([...around, around[0]!]))).toEqual(['curve']);
    expect(await names(area(bent))).toEqual(['curve']);
  });

  it('reads across the antimeridian and leaves holes out', async () => {
    await seenAt('fiji', [{ shape: '((179.5,-17),(179.9,-17),(179.9,-16),(179.5,-16))' }]);
    await seenAt('samoa', [{ shape: '((-179.9,-17),(-179.5,-17),(-179.5,-16),(-179.9,-16))' }]);
    await seenAt('greece', [{ shape: '((24,37),(25,37),(25,38),(24,38))' }]);
    const across = {
      type: 'Polygon',
      coordinates: [
        [
          [179, -18],
          [-179, -18],
          [-179, -15],
          [179, -15],
          [179, -18],
        ],
      ],
    };
    const ring = [
      [20, 30],
      [30, 30],
      [30, 40],
      [20, 40],
      [20, 30],
    ];
    const hole = [
      [22, 35],
      [27, 35],
      [27, 39],
      [22, 39],
      [22, 35],
    ];

    expect((await names(`geometry=${json(across)}`)).sort()).toEqual(['fiji', 'samoa']);
    expect((await names('geometry=179,-18,-179,-15')).sort()).toEqual(['fiji', 'samoa']);
    expect((await names('geometry=-180,-90,180,90')).sort()).toEqual(['fiji', 'greece', 'samoa']);
    expect(await names(`geometry=${json({ type: 'Polygon', coordinates: [ring] })}`)).toEqual(['greece']);
    expect(await names(`geometry=${json({ type: 'Polygon', coordinates: [ring, hole] })}`)).toEqual([]);
  });

  it.each([
    ['more than 1,000 vertices', `geometry=${json(circle(1200))}`],
    ['latitudes beyond the poles', 'geometry=0,0,1,95'],
    ['text', 'geometry=hello'],
    [
      'a line',
      `geometry=${json({
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      })}`,
    ],
    ['a cursor of another sort', `limit=1&sort=name&after=${Buffer.from('["rating",1,null]').toString('base64url')}`],
    ['a page of 501', 'limit=501'],
    ['a time without a zone', 'start=2020-01-01T00:00:00'],
  ])('T-107 refuses %s', async (_what, query) => {
    const ask = async () => expect((await get(`/api/missions/brief?${query}`)).status).toBe(400);

    expect(await fastestMs(ask)).toBeLessThan(600);
  });
});

describe('pages', () => {
  const sorts = ['state', 'name', 'description', 'platform', 'country', 'startTime', 'endTime', 'rating', 'views'];

  it.each([...sorts, 'creationTime', 'securityClassification'].flatMap((sort) => [sort, `-${sort}`]))(
    'leads through every mission once, sorted by %s',
    async (sort) => {
      for (let n = 0; n < 23; n += 1) {
        const time = n % 3 === 0 ? null : 1000 * (n % 5);
        const country = n % 4 === 0 ? null : `C${n % 3}`;
        await addMission(db, {
          name: `${n % 2 === 0 ? 'B' : 'a'}${n}`,
          description: `d${n % 4}`,
          platform_name: `p${n % 2}`,
          country_name: country,
          start_time: time,
          end_time: time,
          rating: n % 3,
          views: n % 2,
          state: n % 2 === 0 ? 'Ready' : 'Stopped',
          creation_time: n % 6,
          classification: 1 + (n % 5),
        });
      }

      const paged: string[] = [];
      let after = '';
      do {
        const page = await get<Mission[]>(`/api/missions/brief?limit=5&sort=${sort}&count=1${after}`);
        expect(page.headers['x-total-count']).toBe('23');
        paged.push(...page.body.map(({ _id }) => _id));
        const next = page.headers['x-next-after'];
        after = next === undefined ? '' : `&after=${String(next)}`;
      } while (after !== '');
      const uncounted = await get<Mission[]>(`/api/missions/brief?limit=5&sort=${sort}`);
      const complete = (await get<Mission[]>(`/api/missions/brief?sort=${sort}`)).body.map(({ _id }) => _id);

      expect(paged).toEqual(complete);
      expect(new Set(paged).size).toBe(23);
      expect(uncounted.headers['x-total-count']).toBeUndefined();
    },
  );

  it('streams every mission, newest first, when no limit is given', async () => {
    await addMission(db, { name: 'm0' });
    await sql`insert into missions (name, description, classification, marked, audience, rating, tags, state,
        platform_name, platform_type, platform_color, sort_order, creation_time)
      select 'm' || n, description, classification, marked, audience, rating, tags, state,
        platform_name, platform_type, platform_color, sort_order, n
      from missions, generate_series(1, 1202) n`.execute(db);

    const all = await names('');

    expect(all).toHaveLength(1203);
    expect(all[0]).toBe('m1202');
    expect(all.at(-1)).toBe('m0');
  });
});

function circle(points: number) {
  const ring = Array.from({ length: points }, (_, n) => {
    const turn = (2 * Math.PI * n) / points;
    return [Math.cos(turn), Math.sin(turn)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}
