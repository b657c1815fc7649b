import { type Mission, PRODUCT_VERSION } from '@osprey/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../tools/test-support/data/api.ts';
import { ADMIN } from '../tools/test-support/server.ts';
import { stageFor } from './support/stage.ts';

type Answer = Record<string, unknown>;

const stage = stageFor({}, { isShared: true });
let api: Api;
let mission: Mission;
let group: string;

const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;

beforeAll(async () => {
  const { recordings } = stage;
  ({ api } = stage);
  group = await api.addGroup('Wire', 'SECRET');
  const flight = await recordings.simulated('wire.ts', { seconds: 12, mission: 'KEA-1', platform: 'Heron' });
  const offsets = await recordings.simulated('offsets.ts', { seconds: 4, footprint: 'offsets' });
  mission = await api.addRecorded(
    { name: 'Wire', country_code: 'GR', country_name: 'Greece', tags: ['ferry'], rating: 3, sortOrder: 7 },
    { 'EO/IR': flight, Offsets: offsets },
  );
});

describe('the wire names of the specification', () => {
  it('are in a mission of the list', async () => {
    const [item] = await api.send<Answer[]>('GET', 'missions/brief');

    expect(item).toMatchObject({
      _id: mission._id,
      name: 'Wire',
      description: '',
      rating: 3,
      state: 'Ready',
      startTime: START_US,
      country_code: 'GR',
      country_name: 'Greece',
      platform: { name: '-', type: 'Plane', presentation: { color: '#004dcf' } },
      platformType: 'Plane',
      tags: ['ferry'],
      sortOrder: 7,
    });
    for (const field of [
      'accessToken',
      'thumbnail',
      'creationTime',
      'recordingStartTime',
      'endTime',
      'recordingEndTime',
    ])
      expect(item).toHaveProperty(field);
    expect(item?.sensors).toHaveLength(2);
  });

  it('are in a sensor', async () => {
    const sensors = await api.send<Answer[]>('GET', `sensors?missionIdOrName=${mission._id}`);

    expect(sensors[0]).toMatchObject({ name: 'EO/IR', description: '', type: 'video', startTime: START_US, views: 0 });
    for (const field of ['_id', 'creationTime', 'endTime', 'recordingStartTime', 'recordingEndTime', 'hlsProps'])
      expect(sensors[0]).toHaveProperty(field);
    expect(sensors[0]?.assets).toMatchObject([
      { path: expect.stringMatching(/^\/api\/media\/[0-9a-f-]+\/[0-9a-f-]+\.ts$/) },
    ]);
  });

  it('sum the views of the sensors in the mission', async () => {
    const [first, second] = mission.sensors;
    await api.send('POST', `sensors/${first!._id}/view`, undefined);
    await api.send('POST', `sensors/${second!._id}/view`, undefined);

    const { views, sensors } = await api.mission('Wire');

    expect([views, ...sensors.map((sensor) => sensor.views)]).toEqual([2, 1, 1]);
  });

  it('are in users and usergroups', async () => {
    await api.addUser('Wanda', { groups: [group], clearance: 'SECRET' });

    const users = await api.send<Answer[]>('GET', 'users');
    const usergroups = await api.send<Answer[]>('GET', 'usergroups');

    expect(users.find(({ username }) => username === 'Wanda')).toMatchObject({
      firstName: 'Wanda',
      lastName: 'Tester',
      company: 'Osprey',
      email: 'wanda@example.org',
      country: 'Greece',
      authorizationRole: 'user',
      securityClearance: 'SECRET',
      usergroups: expect.arrayContaining([group]),
      usergroupsAdmin: [],
      secondFactor: false,
      onlineCount: 0,
      registered: expect.any(Number),
      lastAccess: null,
    });
    expect(usergroups.find(({ name }) => name === 'Wire')).toMatchObject({
      _id: group,
      description: '',
      securityClassification: 'SECRET',
      liveModes: [],
      created: expect.any(Number),
    });
  });

  it('are in the answers about the server', async () => {
    const info = await api.send<Answer>('GET', 'info');
    const system = await api.send<Answer>('GET', 'systeminfo');

    expect(info).toMatchObject({
      serverVer: PRODUCT_VERSION,
      serverName: 'Osprey',
      serverStartTime: expect.any(Number),
    });
    expect(info).toMatchObject({
      demoMode: false,
      clientIp: '127.0.0.1',
      useReverseProxy: false,
      playbackDataDelay: 0,
    });
    for (const field of ['nodeInfo', 'videoDir']) expect(info).toHaveProperty(field);
    expect(system.systemUptime).toBeGreaterThan(0);
  });
});

describe('the calls of the specification', () => {
  it('take Basic with name and password, and say who it is', async () => {
    const own = await api.send<Answer>('GET', 'users/authenticated');
    const groups = await api.send<Answer>('GET', 'users/groups');
    const wrong = await fetch(`${stage.server.address}/api/users/authenticated`, {
      headers: { authorization: `Basic ${Buffer.from(`${ADMIN.username}:no`).toString('base64')}` },
    });

    expect(own).toMatchObject({ username: 'admin', role: 'superAdmin', securityClearance: 'TOP SECRET' });
    expect(Object.keys(groups).sort()).toEqual(['usergroups', 'usergroupsAdmin']);
    expect(wrong.status).toBe(401);
  });

  it('find a mission by its name and by its id', async () => {
    expect((await api.mission('Wire'))._id).toBe(mission._id);
    expect((await api.mission(mission._id)).name).toBe('Wire');
  });

  it('answer heat map, area and path, by a sensor name with a slash too', async () => {
    const points = await api.send<Answer[]>('GET', 'sensors/framecenterpoints/Wire/EO%2FIR');
    const area = await api.send<Answer>('GET', 'missions/area/Wire');
    const path = await api.send<Answer>('GET', 'sensors/path/Wire/EO%2FIR');

    expect(points[0]).toMatchObject({ lat: expect.closeTo(37.67, 0), lon: expect.closeTo(24.3, 0) });
    expect(area).toMatchObject({ type: 'Feature', geometry: { type: 'MultiPolygon' } });
    expect((area.properties as Answer).areaSqKm).toBeGreaterThan(0);
    expect(path).toMatchObject({ type: 'Feature', geometry: { type: 'MultiLineString' } });
  });

  it('answer telemetry by the numbers of ST 0601, in the units of the standard', async () => {
    const page = await api.send<{ time: number[]; tags: Record<string, unknown[]>; sets: Answer[] }>(
      'GET',
      'sensors/telemetry/Wire/EO%2FIR',
    );
    const offsets = await api.send<{ tags: Record<string, unknown[]> }>('GET', 'sensors/telemetry/Wire/Offsets');

    expect(page.time[0]).toBe(START_US);
    expect(page.tags['2']?.[0] ?? page.time[0]).toBe(START_US);
    expect(page.tags['3']?.[0]).toBe('KEA-1');
    expect(page.tags['4']?.[0]).toBe('SX-OSP');
    expect(page.tags['10']?.[0]).toBe('Heron');
    expect(page.tags['5']?.[0]).toBeGreaterThanOrEqual(0);
    for (const tag of ['13', '14', '23', '24', '40', '41', '82', '83', '84', '85', '86', '87', '88', '89'])
      expect(
        page.tags[tag]?.some((value) => typeof value === 'number'),
        tag,
      ).toBe(true);
    for (const tag of ['26', '27', '28', '29', '30', '31', '32', '33'])
      expect(
        offsets.tags[tag]?.some((value) => typeof value === 'number'),
        tag,
      ).toBe(true);
    const vmti = page.sets.find((set) => '74' in set)?.['74'] as Answer | undefined;
    expect(Array.isArray(vmti?.['101'])).toBe(true);
  });

  it('fill the pickers: tags, countries, kinds of platform', async () => {
    expect(await api.send('GET', 'tags?category=mission')).toEqual(['ferry']);
    expect(await api.send<Answer[]>('GET', 'countryCodes')).toContainEqual({ code: 'GR', name: 'Greece' });
    expect(await api.send('GET', 'platformTypes')).toEqual(
      expect.arrayContaining(['Plane', 'Helicopter', 'Quadcopter', 'ROV', 'Camera', 'Diver']),
    );
  });

  it('serve pictures of a mission below /videos and below /api/videos', async () => {
    await expect.poll(async () => (await api.mission('Wire')).thumbnail).not.toBeNull();
    const { thumbnail, accessToken } = await api.mission('Wire');

    for (const path of [thumbnail, `/api${thumbnail}`]) {
      const answer = await fetch(`${stage.server.address}${path}?token=${accessToken}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)]);
    }
  });

  it('describe themselves as OpenAPI', async () => {
    const answer = await fetch(`${stage.server.address}/api/openapi.json`);
    const { openapi, paths } = (await answer.json()) as { openapi: string; paths: Answer };

    expect(openapi).toMatch(/^3\./);
    for (const path of ['/missions/brief', '/missions', '/sensors', '/users', '/usergroups', '/info', '/systeminfo'])
      expect(
        Object.keys(paths).some((known) => known.endsWith(path)),
        path,
      ).toBe(true);
  });
});
