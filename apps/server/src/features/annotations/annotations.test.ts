import {
  type Annotation,
  type AnnotationRow,
  annotationFeature,
  type FeatureGeometry,
  type ShownAnnotation,
} from '@osprey/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { addAnnotation, featureOf, newAnnotationBody, pointAt } from '../../../test/annotations.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { eventSockets, idsOf, until } from '../../../test/event-sockets.ts';
import { addMission } from '../../../test/missions.ts';
import { type Subject, testServer } from '../../../test/server.ts';
import { sweepAnnotations } from './sweep.ts';

const server = await testServer();
const { db, groups, userId } = server;

beforeEach(async () => {
  await db.deleteFrom('annotations').execute();
  await db.deleteFrom('missions').execute();
});

type Refusal = { code: string; text: string; values: Record<string, string> };

async function ask<Answer = AnnotationRow & Refusal>(
  who: Subject,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) {
  const answer = await server.asUser(who).inject({ method, url: `/api${path}`, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() as Answer, headers: answer.headers };
}

const add = (who: Subject, fields: object = {}) =>
  ask(who, 'POST', '/annotations', newAnnotationBody({ usergroups: [groups.G1], ...fields }));
const change = (who: Subject, id: string, fields: object) => ask(who, 'PUT', `/annotations/${id}`, fields);
const whole = (who: Subject, id: string) => ask<Annotation & Refusal>(who, 'GET', `/annotations?id=${id}`);
const rows = async (who: Subject, query = '') => (await ask<AnnotationRow[]>(who, 'GET', `/annotations${query}`)).body;
const shown = async (who: Subject, query: string) =>
  (await ask<ShownAnnotation[]>(who, 'GET', `/annotations?${query}`)).body;
const titles = (all: readonly { title: string }[]) => all.map(({ title }) => title);

const square = (lon: number, lat: number, size = 1): FeatureGeometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [lon, lat],
      [lon + size, lat],
      [lon + size, lat + size],
      [lon, lat + size],
      [lon, lat],
    ],
  ],
});

describe('POST annotations', () => {
  it('keeps fields and features as they were given, and answers the row; GET annotations?id= answers it whole', async () => {
    const features = [
      featureOf(square(24, 37), {
        stroke: '#F2C14E',
        'stroke-width': 3,
        'stroke-opacity': 1,
        'fill-color': '#F2C14E',
        'fill-opacity': 0.2,
        featureTitle: 'Search area 2',
        popupContent: 'Drift <b>north</b> & east',
      }),
      pointAt(24.5, 37.5, { symbol: 'flag' }),
    ];
    const { status, body } = await add('U1', {
      title: 'Search_area 2-3',
      description: 'Second pass',
      securityClassification: 'CONFIDENTIAL',
      tags: ['sea', 'sea', 'night'],
      features,
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: 'Search_area 2-3',
      description: 'Second pass',
      annotationType: 'GeoJson',
      securityClassification: 'CONFIDENTIAL',
      marked: true,
      restricted: false,
      usergroups: [groups.G1],
      audience: 'groups',
      tags: ['sea', 'night'],
      geometries: 2,
      vertices: 6,
      author: 'U1',
      authorId: userId('U1'),
      missionId: null,
    });
    expect(body).not.toHaveProperty('features');
    expect((await whole('U1', body._id)).body).toEqual({ ...body, type: 'FeatureCollection', features });
  });

  it('says what is wrong with a field in the words of the specification', async () => {
    const wrong = async (fields: object) => (await add('U1', fields)).body.values;

    expect(await wrong({ title: '' })).toEqual({ 'body.title': 'Title is required' });
    expect(await wrong({ title: 'a/b' })).toEqual({
      'body.title': 'Title can only contain letters, numbers, spaces, underscores, and hyphens',
    });
    expect(await wrong({ title: 'x'.repeat(17) })).toEqual({ 'body.title': 'Title must be 16 characters or less' });
    expect(await wrong({ description: 'y'.repeat(128) })).toEqual({
      'body.description': 'Description must be 127 characters or less',
    });
    expect(await wrong({ annotationType: undefined })).toEqual({
      'body.annotationType': 'Annotation Type is required',
    });
    expect(await wrong({ annotationType: 'Poem' })).toEqual({ 'body.annotationType': 'Invalid annotation type' });
    expect(await wrong({ securityClassification: 'COSMIC' })).toEqual({
      'body.securityClassification': 'Invalid security classification',
    });
    expect(await wrong({ features: undefined })).toEqual({ 'body.features': 'Features are required' });
    expect(await wrong({ features: [] })).toEqual({ 'body.features': 'Features array must not be empty' });
    expect(await wrong({ startTime: 1 })).toEqual({ endTime: 'Start and end belong together, in this order' });
  });

  it('T-094 refuses shapes and styles that are none, with the number of the feature, and keeps nothing', async () => {
    const crossed: FeatureGeometry = {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
          [0, 0],
        ],
      ],
    };
    const tried = async (features: unknown, more: object = {}) => (await add('U1', { features, ...more })).status;

    expect((await add('U1', { features: [pointAt(1, 1), featureOf(crossed)] })).body.values).toEqual({
      'features.1': 'The outline crosses itself.',
    });
    expect(await tried([featureOf({ type: 'Point', coordinates: [181, 0] })])).toBe(400);
    expect(await tried([featureOf({ type: 'Point', coordinates: [0, 'NaN' as unknown as number] })])).toBe(400);
    expect(await tried([{ type: 'Feature', properties: {}, geometry: null }])).toBe(400);
    expect(await tried([pointAt(1, 1, { stroke: 'url(javascript:alert(1))' })])).toBe(400);
    expect(await tried([pointAt(1, 1, { 'stroke-width': 21 })])).toBe(400);
    expect(await tried([pointAt(1, 1, { 'fill-opacity': 1.1 })])).toBe(400);
    expect(await tried(Array.from({ length: 1001 }, () => pointAt(1, 1)))).toBe(400);
    expect(await tried([pointAt(1, 1)], { unknown: 1 })).toBe(400);
    expect(await rows('SA')).toEqual([]);
  });

  it('T-094 takes 20,000 vertices, refuses one more with 400 and two million with 413, and drops other properties', async () => {
    const line = (count: number) =>
      featureOf({ type: 'LineString', coordinates: Array.from({ length: count }, (_, at) => [at / 1000, 1]) });

    expect((await add('U1', { features: [line(20_000)] })).body.vertices).toBe(20_000);
    expect((await add('U1', { features: [line(20_001)] })).body.values).toEqual({
      'body.features': 'More than 20000 vertices',
    });
    const huge = `{"features":[[${'[1,1],'.repeat(2_000_000)}[1,1]]]}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await server
      .asUser('U1')
      .inject({ method: 'POST', url: '/api/annotations', payload: huge, headers });
    expect(answer.statusCode).toBe(413);

    const deep = `{"features":${'['.repeat(1000)}${']'.repeat(1000)}}`;
    const refused = await server
      .asUser('U1')
      .inject({ method: 'POST', url: '/api/annotations', payload: deep, headers });
    expect(refused.statusCode).toBe(400);

    const text = JSON.stringify(newAnnotationBody({ usergroups: [groups.G1] }));
    const polluted = text.replace('"properties":{}', '"properties":{"__proto__":{"admin":true},"own":1}');
    expect(polluted).not.toBe(text);
    const sent = await server
      .asUser('U1')
      .inject({ method: 'POST', url: '/api/annotations', payload: polluted, headers });
    expect([200, 400]).toContain(sent.statusCode);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('is for those who see what they make: not above the own clearance, not into other groups, never for the guest', async () => {
    expect((await add('U1', { securityClassification: 5 })).body.code).toBe('forbidden');
    expect((await add('U1', { usergroups: [groups.G2] })).body.code).toBe('unknownUsergroup');
    expect((await add('U1', { usergroups: [] })).body.code).toBe('hidesFromMaker');
    expect((await add('U1', { audience: 'everyone', usergroups: [] })).body.code).toBe('forbidden');
    expect((await add('guest', { usergroups: [groups.Demo] })).body.code).toBe('forbidden');
    expect((await add('U1', { restricted: true })).body.code).toBe('forbidden');
    expect((await add('GA', { restricted: true })).status).toBe(200);
    expect((await add('SA', { securityClassification: undefined, usergroups: [] })).body).toMatchObject({
      securityClassification: 'TOP SECRET',
      marked: false,
    });
  });
});

describe('PUT and DELETE annotations', () => {
  it('is for the author, else for who shares a usergroup, else for admin roles; a locked one only for admins', async () => {
    const { _id } = (await add('U1', { title: 'own' })).body;
    const everyones = await addAnnotation(db, { author_id: userId('U2') });
    const ofU1 = await addAnnotation(db, { author_id: userId('U1') });
    const lockedOne = await addAnnotation(db, { audience: 'groups', edit_lock: true, author_id: userId('U1') }, [
      groups.G1,
    ]);

    expect((await change('GA', _id, { description: 'a' })).status).toBe(200);
    expect((await change('U2', _id, { description: 'a' })).status).toBe(404);
    expect((await change('U1', everyones, { description: 'a' })).status).toBe(403);
    expect((await change('U1', ofU1, { description: 'a' })).status).toBe(200);
    expect((await change('U1', lockedOne, { description: 'a' })).status).toBe(403);
    expect((await ask('U1', 'DELETE', `/annotations/${lockedOne}`)).status).toBe(403);
    expect((await change('GA', lockedOne, { restricted: false })).status).toBe(200);
    expect((await change('U1', lockedOne, { restricted: true })).status).toBe(403);
  });

  it('keeps usergroups that the caller does not know of, needs a reason to widen, and refuses an old revision', async () => {
    const id = await addAnnotation(db, { audience: 'groups', author_id: userId('U1') }, [groups.G1, groups.G2]);

    expect((await whole('U1', id)).body.usergroups).toEqual([groups.G1]);
    const { body } = await change('U1', id, {
      usergroups: [groups.G1],
      revision: 1,
      features: [pointAt(1, 2), pointAt(3, 4)],
    });
    expect(body).toMatchObject({ revision: 2, geometries: 2, vertices: 2 });
    expect((await whole('SA', id)).body.usergroups.toSorted()).toEqual([groups.G1, groups.G2].toSorted());
    expect((await change('U1', id, { title: 'b', revision: 1 })).body.code).toBe('revisionConflict');
    expect((await change('A2', id, { audience: 'everyone' })).body.code).toBe('reasonNeeded');
    expect((await change('A2', id, { audience: 'everyone', reason: 'all ships look for it' })).status).toBe(200);
  });

  it('throws several into the bin, all or none; each brings back the own ones, admins any', async () => {
    const [first, second] = [
      (await add('U1', { title: 'first' })).body._id,
      (await add('U1', { title: 'second' })).body._id,
    ];
    const hidden = await addAnnotation(db, { audience: 'groups' }, [groups.G2]);
    const remove = (who: Subject, annotations: string[]) => ask(who, 'DELETE', '/annotations', { annotations });
    const restore = (who: Subject, annotations: string[]) => ask(who, 'POST', '/annotations/restore', { annotations });

    expect((await remove('U1', [first, hidden])).status).toBe(404);
    expect(titles(await rows('U1'))).toEqual(['second', 'first']);
    expect((await remove('U1', [first, second])).status).toBe(200);
    expect(await rows('U1')).toEqual([]);
    expect((await whole('U1', first)).status).toBe(404);
    expect(titles((await ask<AnnotationRow[]>('A2', 'GET', '/annotations/bin')).body).toSorted()).toEqual([
      'first',
      'second',
    ]);
    expect((await restore('GA', [first])).status).toBe(404);
    expect((await restore('U1', [first])).status).toBe(200);
    expect((await restore('A2', [second])).status).toBe(200);
    expect((await ask('U1', 'DELETE', `/annotations/${first}`)).body).toEqual({
      message: 'Annotation deleted successfully',
    });
  });

  it('removes what has lain in the bin for 30 days for good', async () => {
    const day = 24 * 3_600_000_000;
    const old = await addAnnotation(db, { deleted_time: 1 });
    const retained = await addAnnotation(db, { deleted_time: 2 * day });

    await sweepAnnotations({ db, nowUs: () => 31 * day, log: { info: () => undefined } });

    const left = await db.selectFrom('annotations').select('id').execute();
    expect(left.map(({ id }) => id)).toEqual([retained]);
    expect(left).not.toContainEqual({ id: old });
  });
});

describe('GET annotations', () => {
  it('pages and sorts rows, and finds them by words and tags', async () => {
    for (const [at, title] of ['Bravo', 'alpha', 'Charlie'].entries()) {
      await addAnnotation(db, {
        title,
        creation_time: at,
        tags: [`tag${at}`],
        description: title === 'alpha' ? '100% sure' : '',
      });
    }

    expect(titles(await rows('U1'))).toEqual(['Charlie', 'alpha', 'Bravo']);
    expect(titles(await rows('U1', '?sort=title'))).toEqual(['alpha', 'Bravo', 'Charlie']);
    const page = await ask<AnnotationRow[]>('U1', 'GET', '/annotations?sort=title&limit=2&count=1');
    expect([titles(page.body), page.headers['x-total-count']]).toEqual([['alpha', 'Bravo'], '3']);
    const after = page.headers['x-next-after'] as string;
    expect(titles(await rows('U1', `?sort=title&limit=2&after=${after}`))).toEqual(['Charlie']);
    expect(titles(await rows('U1', '?search=100%25'))).toEqual(['alpha']);
    expect(titles(await rows('U1', '?tags=tag0,tag2'))).toEqual(['Charlie', 'Bravo']);
  });

  it('finds by box across the antimeridian, at a pole, and only features that touch it', async () => {
    await addAnnotation(
      db,
      { title: 'Fiji' },
      [],
      [
        featureOf({
          type: 'LineString',
          coordinates: [
            [179, -17],
            [-179, -17],
          ],
        }),
      ],
    );
    await addAnnotation(db, { title: 'Pole' }, [], [pointAt(100, 89.9)]);
    await addAnnotation(db, { title: 'Two' }, [], [pointAt(10, 10), pointAt(20, 20)]);

    expect(titles(await shown('U1', 'bbox=179.5,-18,-179.5,-16'))).toEqual(['Fiji']);
    expect(titles(await shown('U1', 'bbox=0,-18,10,-16'))).toEqual([]);
    expect(titles(await shown('U1', 'bbox=90,85,110,90'))).toEqual(['Pole']);
    const [two] = await shown('U1', 'bbox=9,9,11,11');
    expect(two).toMatchObject({ title: 'Two', features: [pointAt(10, 10)], simplified: true });
    expect((await ask('U1', 'GET', '/annotations?bbox=1,2,3')).status).toBe(400);
    expect((await ask('U1', 'GET', '/annotations?bbox=10,20,9,19')).status).toBe(400);
  });

  it('answers what the zoom can show: under 300 kB of 200 annotations with 200,000 vertices, at any zoom', async () => {
    const wave = (lon: number, lat: number) =>
      featureOf({
        type: 'LineString',
        coordinates: Array.from({ length: 1000 }, (_, at) => [
          lon + at / 1000,
          lat + Math.sin(at) / 50 + Math.sin(at / 40) / 4,
        ]),
      });
    for (let at = 0; at < 200; at += 1) {
      await addAnnotation(db, { title: `wave ${at}` }, [], [wave(20 + (at % 20) / 4, 35 + Math.floor(at / 20) / 4)]);
    }

    for (const query of [
      'bbox=15,32,30,42',
      'bbox=15,32,30,42&zoom=12',
      'bbox=21,36,21.5,36.5',
      'bbox=21,36,21.01,36.01',
    ]) {
      const answer = await server.asUser('U1').inject({ method: 'GET', url: `/api/annotations?${query}` });
      expect(answer.rawPayload.byteLength, query).toBeLessThan(300_000);
      expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200);
      expect(answer.json().length, query).toBeGreaterThan(0);
    }
    const far = await shown('U1', 'bbox=15,32,30,42');
    expect(far).toHaveLength(200);
    expect(far.every(({ simplified }) => simplified)).toBe(true);
    for (const { features } of far) for (const one of features) expect(annotationFeature.parse(one)).toEqual(one);
  });

  it('shows a shape near by with each of its positions, however long the rest is', async () => {
    const coordinates = Array.from({ length: 20_000 }, (_, at) => [at / 200, (at % 2) / 1000]);
    await addAnnotation(db, {}, [], [featureOf({ type: 'LineString', coordinates })]);

    const [near] = await shown('U1', 'bbox=50,-0.01,50.1,0.01&zoom=16');

    const there = (near!.features[0]!.geometry.coordinates as number[][]).filter(
      ([lon = 0]) => lon >= 50 && lon <= 50.1,
    );
    expect(there).toEqual(coordinates.filter(([lon = 0]) => lon >= 50 && lon <= 50.1));
    expect(near!.features[0]!.geometry.coordinates.length).toBeLessThan(100);
  });
});

describe('an annotation of a mission', () => {
  const mission = async (fields: object, shared: readonly string[] = []) => {
    const id = await addMission(db, { name: 'COAST', state: 'Ready', ...fields });
    const links = shared.map((usergroup_id) => ({ mission_id: id, usergroup_id }));
    if (links.length > 0) await db.insertInto('mission_usergroups').values(links).execute();
    return id;
  };

  it('is at least as high as the mission and for no others than the mission, which the refusal names', async () => {
    const missionId = await mission({ classification: 3, audience: 'groups' }, [groups.G1]);
    const of = (who: Subject, fields: object) => add(who, { missionId, securityClassification: 3, ...fields });

    expect((await of('U1', { securityClassification: 2 })).body).toMatchObject({
      code: 'labelBelowMission',
      text: 'It belongs to mission COAST, which is CONFIDENTIAL: its label must be CONFIDENTIAL or higher.',
    });
    expect((await of('SA', { usergroups: [groups.G1, groups.G2] })).body).toMatchObject({
      code: 'widerThanMission',
      text: 'It belongs to mission COAST: it can only be shared with usergroups that the mission is shared with.',
    });
    expect((await of('SA', { audience: 'everyone', usergroups: [] })).body.code).toBe('widerThanMission');
    expect((await of('U0', { usergroups: [groups.Demo] })).status).toBe(404);
    const { status, body } = await of('U1', { startTime: 1, endTime: 2 });
    expect([status, body.missionId, body.startTime]).toEqual([200, missionId, 1]);
    expect((await change('SA', body._id, { securityClassification: 2, reason: 'for the test' })).body.code).toBe(
      'labelBelowMission',
    );
    expect((await change('SA', body._id, { usergroups: [groups.G2] })).body.code).toBe('widerThanMission');
    expect(titles(await rows('U1', `?mission=${missionId}`))).toEqual(['Search area']);
  });

  it('rises, narrows, goes to the bin and comes back with its mission', async () => {
    const missionId = await mission({ classification: 1 });
    const all = await addAnnotation(db, { title: 'all', mission_id: missionId });
    const some = await addAnnotation(db, { title: 'some', audience: 'groups', mission_id: missionId }, [
      groups.G1,
      groups.G2,
    ]);
    const row = (id: string) => whole('SA', id).then(({ body }) => body);

    expect(
      (
        await ask('SA', 'PUT', '/missions', {
          _id: missionId,
          name: 'COAST',
          audience: 'groups',
          usergroups: [groups.G1],
          securityClassification: 2,
        })
      ).status,
    ).toBe(200);
    for (const id of [all, some]) {
      expect(await row(id)).toMatchObject({
        securityClassification: 'RESTRICTED',
        audience: 'groups',
        usergroups: [groups.G1],
      });
    }
    expect(titles(await rows('U2'))).toEqual([]);

    await ask('SA', 'DELETE', '/missions', { missions: [missionId] });
    expect((await whole('SA', all)).status).toBe(404);
    expect((await ask('SA', 'POST', '/annotations/restore', { annotations: [all] })).body.text).toBe(
      'Annotation all belongs to a mission in the bin. Restore the mission first.',
    );
    await ask('SA', 'POST', '/missions/restore', { missions: [missionId] });
    expect(titles(await rows('U1', '?sort=title'))).toEqual(['all', 'some']);
  });

  it('is hidden as a draft while its mission is one', async () => {
    const missionId = await mission({ state: 'Created' });
    const { body } = await add('SA', { missionId, audience: 'everyone', usergroups: [] });

    expect((await whole('U1', body._id)).status).toBe(404);
    await db.updateTable('missions').set({ state: 'Ready' }).where('id', '=', missionId).execute();
    expect((await whole('U1', body._id)).status).toBe(200);
  });

  it('keeps equal what SQL lists and what can() allows', async () => {
    const missionId = await mission({ classification: 2, audience: 'groups' }, [groups.G1]);
    await addAnnotation(db, { mission_id: missionId, classification: 2, audience: 'groups' }, [groups.G1]);
    await sql`update missions set classification = 4 where id = ${missionId}::uuid`.execute(db);

    expect(await rows('U1')).toEqual([]);
    expect(await rows('SA')).toHaveLength(1);
  });
});

it('notifies who may read it: updateAnnotations of a new one, deleteAnnotations of one in the bin, revoked of a lost one', async () => {
  const sockets = eventSockets(server, await server.listen());
  atEnd(async () => sockets.closeAll());
  const member = await sockets.connected('U1');
  const stranger = await sockets.connected('U2');

  const { _id } = (await add('U1')).body;
  await until(() => idsOf(member, 'updateAnnotations').includes(_id));
  await ask('U1', 'DELETE', `/annotations/${_id}`);
  await until(() => idsOf(member, 'deleteAnnotations').includes(_id) && idsOf(member, 'revoked').includes(_id));

  expect([idsOf(stranger, 'updateAnnotations'), idsOf(stranger, 'deleteAnnotations')]).toEqual([[], []]);
});
