import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, expect, it } from 'vitest';
import { addMission, addSensor } from '../missions.ts';
import { basicOf, type Subject, testServer } from '../server.ts';

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const server = await testServer({ log: pino({ level: 'debug' }, stream), config: { registration: 'open' } });
const { db, inject, asUser, groups, headersOf } = server;

const PASSWORD = 'Kestrel-over-Andros-41';
const TITLE = 'Nightjar-Secret-Title';

afterAll(() => stream.end());

it('T-068 holds no password, credential, token or title above label 1 in any line', async () => {
  const person = { email: 'a@example.org', country: 'GR', first_name: 'A', last_name: 'B', company: 'C' };
  const registered = await inject({
    method: 'POST',
    url: '/api/users',
    payload: { username: 'nora', password: PASSWORD, ...person },
  });
  expect(registered.statusCode).toBe(200);
  const login = await inject({ method: 'POST', url: '/api/login', payload: { username: 'nora', password: PASSWORD } });
  expect(login.statusCode).toBe(200);
  const { credential } = login.json() as { credential: string };
  const cookie = String(login.headers['set-cookie']).split(';')[0]!;
  const missionId = await addMission(db, { name: TITLE, classification: 3, audience: 'groups', state: 'Ready' });
  await db.insertInto('mission_usergroups').values({ mission_id: missionId, usergroup_id: groups.G1 }).execute();
  const sensorId = await addSensor(db, missionId);
  const found = await asUser('U1').inject({ method: 'GET', url: `/api/missions/${TITLE}` });
  expect(found.statusCode).toBe(200);
  const { accessToken } = found.json() as { accessToken: string };

  for (const authorization of [
    basicOf('nora', PASSWORD),
    basicOf('nora', `${PASSWORD}x`),
    basicOf('nora', credential),
  ]) {
    await inject({ method: 'GET', url: '/api/users/authenticated', headers: { authorization, cookie } });
  }
  await inject({ method: 'GET', url: `/api/media/${sensorId}/index.m3u8?token=${accessToken}` });
  await inject({ method: 'GET', url: `/api/media/${sensorId}/index.m3u8?token=${accessToken}x` });
  await inject({ method: 'POST', url: '/api/login', payload: { username: 'nora', password: PASSWORD, more: 1 } });
  await asUser('U1').inject({ method: 'DELETE', url: '/api/missions', payload: { missions: [TITLE] } });
  await asUser('A2').inject({ method: 'GET', url: `/api/missions/${TITLE}` });
  await asUser('SA').inject({ method: 'POST', url: '/api/missions', payload: { name: TITLE, usergroups: 'wrong' } });
  const ticket = await asUser('U1').inject({ method: 'POST', url: '/api/tickets' });

  // Faults of the server are what a log is for: a table that is gone under a search and under a login.
  await sql`alter table missions rename to missions_gone`.execute(db);
  const failed = await asUser('U1').inject({ method: 'GET', url: `/api/missions/${TITLE}` });
  expect(failed.statusCode).toBe(500);
  await sql`alter table credentials rename to credentials_gone`.execute(db);
  await inject({ method: 'POST', url: '/api/login', payload: { username: 'nora', password: PASSWORD } });

  const secrets = [
    PASSWORD,
    credential,
    cookie.slice(cookie.indexOf('=') + 1),
    accessToken,
    TITLE,
    (ticket.json() as { ticket: string }).ticket,
    ...(['U1', 'SA'] as Subject[]).map((name) => headersOf(name).authorization.slice('Basic '.length)),
  ];
  const log = lines.join('');
  expect(log).not.toBe('');
  expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
  expect(secrets.filter((secret) => log.includes(secret) || log.includes(encodeURIComponent(secret)))).toEqual([]);
});
