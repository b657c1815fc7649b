import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../../../tools/test-support/free-port.ts';
import { mainScript } from '../../../../tools/test-support/product.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { keepRecorder } from '../../src/processes/keep-recorder.ts';
import { settingsOf } from '../../src/processes/log.ts';
import { atEnd } from '../cleanup.ts';
import { addMission, addSensor } from '../missions.ts';
import { greeting } from '../rtmp-publisher.ts';
import { basicOf, type Subject, testServer } from '../server.ts';

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const server = await testServer({
  log: pino(settingsOf('debug'), stream),
  config: { registration: 'open', sourceAllow: ['127.0.0.1'] },
});
const { db, inject, asUser, groups, headersOf } = server;

const PASSWORD = 'Kestrel-over-Andros-41';
const TITLE = 'Nightjar-Secret-Title';

afterAll(() => stream.end());

/** The real recorder, which writes `live/recorder.log` while the api of this test runs. */
async function startRecorder(): Promise<void> {
  const settings = { OSPREY_DATA: server.dataDir, OSPREY_LOG_LEVEL: 'debug', OSPREY_SOURCE_ALLOW: '127.0.0.1' };
  const order = { config: readConfig(settings), databaseUrl: '', setupCode: null, tls: null, restarted: false };
  const kept = keepRecorder({
    ...{ script: mainScript(), dataDir: server.dataDir, order: () => order },
    ...{ onRestart: () => undefined, onFound: () => undefined, onSilent: () => undefined },
  });
  atEnd(() => kept.stop());
  await kept.ready;
}

/** Refusals of a wrong password, in the forms of RTSP and of HTTP. */
async function refusingServer(): Promise<number> {
  const refusing = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (asked) => {
      const [, protocol = 'RTSP/1.0'] = /(RTSP\/1\.0|HTTP\/1\.1)\r\n/.exec(String(asked)) ?? [];
      const number = /CSeq: \d+/.exec(String(asked))?.[0] ?? 'CSeq: 1';
      const fields = `${number}\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0`;
      socket.write(`${protocol} 401 Unauthorized\r\n${fields}\r\n\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  atEnd(() => refusing.close());
  return (refusing.address() as AddressInfo).port;
}

const hasFfmpeg = existsSync('/usr/bin/ffmpeg');
if (!hasFfmpeg) process.stderr.write('Skipped: passwords of sources beside the log need ffmpeg\n');

it.skipIf(!hasFfmpeg)(
  'T-068 holds no password of a source, in the log of the api or of the recorder that fails to open it',
  { timeout: 120_000 },
  async () => {
    await startRecorder();
    const [rtsp, http, srt, rtmp] = [
      'Rtsp-hush-4711-abc',
      'Http-hush-4712-abc',
      'Srt-hush-4713-abc',
      'Rtmp-hush-4714-abc',
    ];
    const [refusing, srtPort, rtmpPort] = [await refusingServer(), await freePort(), await freePort()];
    const sensors = [
      { name: 'RTSP', url: `rtsp://cam:${rtsp}@127.0.0.1:${refusing}/main` },
      { name: 'HTTP', url: `http://cam:${http}@127.0.0.1:${refusing}/live.ts` },
      { name: 'SRT', url: `srt://127.0.0.1:${srtPort}?passphrase=${srt}` },
      { name: 'RTMP', url: `rtmp://127.0.0.1:${rtmpPort}/live/${rtmp}` },
    ];
    const platform = {
      name: 'KEA-1',
      usergroups: ['G1'],
      securityClassification: 'RESTRICTED',
      autostart: true,
      sensors,
    };
    const send = (method: 'POST' | 'PUT', url: string, payload: object) =>
      asUser('SA').inject({ method, url: `/api/platforms${url}`, payload });

    expect((await send('POST', '', platform)).statusCode).toBe(200);
    const { id } = await db.selectFrom('platforms').select('id').executeTakeFirstOrThrow();
    const text = `platforms:\n  - { name: KEA-2, sensors: [{ name: EO, url: "exec://cam:${rtsp}@x?passphrase=${srt}" }] }`;
    const file = `--x\r\ncontent-disposition: form-data; name="platforms"; filename="platforms.yml"\r\n\r\n${text}\r\n--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const upload = { method: 'POST', url: '/api/upload/platformsConfig', headers, payload: file } as const;
    expect((await asUser('SA').inject(upload)).json()).toMatchObject({ valid: false });
    expect((await send('POST', '', { ...platform, colour: 'red' })).statusCode).toBe(400);
    // The database's message about a refused row may contain the row.
    await sql`alter table platform_sensors add constraint nothing_new check (name <> 'NEW')`.execute(db);
    const added = { ...platform, sensors: [...sensors, { ...sensors[0], name: 'NEW' }] };
    expect((await send('PUT', `/${id}`, added)).statusCode).toBe(500);
    await sql`alter table platform_sensors drop constraint nothing_new`.execute(db);
    // An encoder that has the key and sends nothing that can be read.
    const encoder = connect(rtmpPort, '127.0.0.1').on('error', () => undefined);
    atEnd(() => encoder.destroy());
    encoder.write(Buffer.concat([greeting('live', rtmp), Buffer.alloc(4096, 0xff)]));

    const problems = () => [...server.coordination.mirror.sources()].flatMap(({ error }) => error ?? []);
    await expect.poll(() => problems().length).toBeGreaterThanOrEqual(3);
    await expect.poll(problems).toContain(`127.0.0.1:${refusing} refuses the name or the password`);

    const log = await readFile(join(server.dataDir, 'live', 'recorder.log'), 'utf8');
    expect(log).toContain('refuses the name or the password');
    const orders = await readFile(join(server.dataDir, 'live', 'orders.json'), 'utf8');
    expect(orders).toContain('rtsp://cam:***@127.0.0.1');
    const platforms = (await asUser('SA').inject({ method: 'GET', url: '/api/platforms' })).body;
    const audit = JSON.stringify(await db.selectFrom('audit').selectAll().execute());
    const places = { api: lines.join(''), recorder: log, orders, platforms, audit, problems: problems().join() };
    for (const secret of [rtsp, http, srt, rtmp]) {
      for (const [place, written] of Object.entries(places)) expect(written.includes(secret), place).toBe(false);
    }
  },
);

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
