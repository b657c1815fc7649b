import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformsConfigResult, PlatformVersion } from '@osprey/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { uploadPlatforms } from '../../../test/platforms.ts';
import { type Subject, type TestServer, testServer } from '../../../test/server.ts';
import { secretBox } from '../../base/access/secret-box.ts';
import { secretFile } from '../../base/access/secret-file.ts';
import { readPlatformsFile } from './read-file.ts';

type Sent = { by?: Subject; query?: string };

async function server() {
  const made = await testServer({ config: { sourceAllow: [] } });
  const upload = (text: string, sent: Sent = {}) => uploadPlatforms(made, text, sent);
  const result = async (text: string, sent?: Sent) => (await upload(text, sent)).json() as PlatformsConfigResult;
  const download = async (by: Subject = 'SA', query = '') =>
    (await made.asUser(by).inject({ method: 'GET', url: `/api/platformsConfigFile${query}` })).body;
  const names = async (by: Subject) =>
    ((await made.asUser(by).inject({ method: 'GET', url: '/api/platforms' })).json() as { name: string }[]).map(
      ({ name }) => name,
    );
  return { ...made, upload, result, download, names };
}

const label = { securityClassification: 'RESTRICTED', marked: true };

const kea = (url: string, more = '') => `
platforms:
  - name: KEA-1
    type: Plane
    color: "#22CCDD"
    securityClassification: RESTRICTED
    usergroups: [G1]
    priority: 2
    ${more}
    sensors:
      - name: EO
        url: ${url}
`;

/** Responses of the calls about the one platform, and the content of its rows. */
async function everythingReported({ asUser, db }: TestServer) {
  const read = async (url: string) => (await asUser('SA').inject({ url })).body;
  const list = await read('/api/platforms');
  const [platform] = JSON.parse(list) as { _id: string }[];
  const reported = [list, await read(`/api/platforms/${platform?._id}/config`)];
  const rows = [
    await db.selectFrom('platform_sensors').selectAll().execute(),
    await db.selectFrom('platform_versions').selectAll().execute(),
  ];
  return { reported, text: JSON.stringify([reported, rows]) };
}

describe('platforms.yml', () => {
  let made: Awaited<ReturnType<typeof server>>;
  beforeAll(async () => {
    made = await server();
  });

  it('is taken whole, shown to those who may see each platform, and comes back with *** for its passwords', async () => {
    const taken = await made.result(kea('rtsp://cam:hush%21@10.1.2.3:554/main?token=s3cret&channel=1'));

    expect(taken).toMatchObject({ valid: true, message: 'Config file uploaded successfully.' });
    expect(taken.changes).toMatchObject([{ kind: 'added', platform: 'KEA-1' }]);
    expect(await made.names('U1')).toEqual(['KEA-1']);
    expect(await made.names('U2')).toEqual([]);
    const file = await made.download();
    expect(file).toContain('rtsp://cam:***@10.1.2.3:554/main?token=***&channel=1');
    expect(JSON.stringify([taken, file])).not.toMatch(/hush|s3cret/);
  });

  it('keeps a password that comes back as ***, but not for another host', async () => {
    const before = await made.db.selectFrom('platform_sensors').selectAll().execute();
    const same = await made.result(await made.download());
    const elsewhere = await made.result(kea('rtsp://cam:***@10.9.9.9:554/main?token=***'));

    expect(same).toMatchObject({ valid: true, unchanged: 1, changes: [] });
    expect(elsewhere.valid).toBe(false);
    expect(elsewhere.errors).toMatchObject([
      { line: 12, text: 'KEA-1: EO: *** keeps the password of the same host and user only: write the password again' },
    ]);
    expect(await made.db.selectFrom('platform_sensors').selectAll().execute()).toEqual(before);
    const box = secretBox(await secretFile(join(made.dataDir, 'keys', 'platforms.key')));
    expect(box.open(before[0]?.secret ?? '')).toEqual(['hush%21', 's3cret']);
    expect((await stat(join(made.dataDir, 'keys', 'platforms.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(made.dataDir, 'keys', 'platforms.key'), 'utf8')).not.toContain('hush');
  });

  const SRT = 'srt://10.1.2.3:9000?mode=caller&passphrase=long-secret-1&streamid=%23!::u=cam,p=s3cret-2';
  const SRT_SHOWN = 'srt://10.1.2.3:9000?mode=caller&passphrase=***&streamid=***';
  const SRT_SECRETS = ['long-secret-1', '%23!::u=cam,p=s3cret-2'];

  const pushed = (key: string) => `rtmp://127.0.0.1:1935/live/${key}`;
  const sensorOf = (made: Pick<TestServer, 'db'>) =>
    made.db.selectFrom('platform_sensors').selectAll().executeTakeFirstOrThrow();
  const opened = async (made: Pick<TestServer, 'dataDir'>, secret: string | null) =>
    secretBox(await secretFile(join(made.dataDir, 'keys', 'platforms.key'))).open(secret ?? '');

  it.each([
    [
      'the key that an encoder pushes with',
      pushed('k3y-of-64-kinds_abcdefgh'),
      pushed('***'),
      ['k3y-of-64-kinds_abcdefgh'],
    ],
    ['passphrase and stream id of SRT', SRT, SRT_SHOWN, SRT_SECRETS],
  ])('never tells %s, and keeps it', async (_what, url, shown, secrets) => {
    const made = await server();
    const preview = await made.result(kea(url), { query: '?preview=1' });
    const taken = await made.result(kea(url));
    const file = await made.download();

    const again = await made.result(file);

    expect([taken.valid, again]).toMatchObject([true, { valid: true, unchanged: 1, changes: [] }]);
    const { text, reported } = await everythingReported(made);
    for (const one of [file, ...reported]) expect(one).toContain(shown);
    for (const secret of secrets) expect(JSON.stringify([preview, taken, file, text])).not.toContain(secret);
    expect(await opened(made, (await sensorOf(made)).secret)).toEqual(secrets);
  });

  it('never shows a stream id of SRT that was stored when it counted as no secret, and seals it', async () => {
    const made = await server();
    await made.result(kea(SRT));
    const { id, secret } = await sensorOf(made);
    const key = await secretFile(join(made.dataDir, 'keys', 'platforms.key'));
    const url = SRT.replace('long-secret-1', '***');
    const before = { url, secret: secretBox(key).seal(['long-secret-1']) };
    await made.db.updateTable('platform_sensors').set(before).where('id', '=', id).execute();
    const file = await made.download();
    const shown = (await everythingReported(made)).reported;

    const taken = await made.result(file);

    for (const one of [file, ...shown]) expect(one).toContain(SRT_SHOWN);
    expect(taken).toMatchObject({ valid: true, changes: [{ platform: 'KEA-1' }] });
    expect(JSON.stringify([file, shown, taken])).not.toContain('s3cret-2');
    const sealed = await sensorOf(made);
    expect([sealed.url, sealed.secret === secret]).toEqual([SRT_SHOWN, false]);
    expect(await opened(made, sealed.secret)).toEqual(SRT_SECRETS);
  });

  it('without its line keeps 30 s from before a recording where a platform begins it by itself', async () => {
    const changed = kea(
      'rtsp://cam:***@10.1.2.3:554/main?token=***&channel=1',
      'record: { schedule: ["Mon-Fri 06:00-18:00"] }',
    );
    const shown = await made.result(changed, { query: '?preview=1' });

    expect(await made.download()).toContain('preRollSeconds: 0');
    expect(shown.changes[0]?.fields).toEqual([
      { field: 'record, schedule', before: '', after: 'Mon-Fri 06:00-18:00' },
      { field: 'record, pre-roll', before: '0 s', after: '30 s' },
    ]);
  });

  it('shows the differences before anything is changed, and refuses to apply them to another configuration', async () => {
    const changed = kea('rtsp://cam:***@10.1.2.3:554/main?token=***&channel=1', 'autostart: true');
    const shown = await made.result(changed, { query: '?preview=1' });
    const stale = await made.upload(changed, { query: `?expected=${'0'.repeat(32)}` });
    const stillThere = await made.download();
    const applied = await made.result(changed, { query: `?expected=${shown.revision}` });

    expect(shown.changes).toEqual([
      { kind: 'changed', platform: 'KEA-1', ...label, fields: [{ field: 'autostart', before: 'no', after: 'yes' }] },
    ]);
    // With the higher label of both sides.
    const lowered = await made.result(changed.replace('RESTRICTED', 'UNCLASSIFIED'), { query: '?preview=1' });
    expect(lowered.changes).toMatchObject([{ kind: 'changed', ...label }]);
    expect(stale.json()).toMatchObject({ code: 'revisionConflict' });
    expect(stillThere).toContain('autostart: false');
    expect(applied).toMatchObject({ valid: true, changes: shown.changes });
  });

  it('keeps each configuration, and brings an earlier one back', async () => {
    const versions = (await made.asUser('SA').inject({ url: '/api/platformsConfig/versions' })).json() as {
      version: number;
    }[];
    await made.result('platforms: []');
    const back = await made.asUser('SA').inject({
      method: 'POST',
      url: `/api/platformsConfig/versions/${versions[0]?.version}/restore`,
    });

    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(back.json()).toMatchObject({ valid: true, changes: [{ kind: 'added', platform: 'KEA-1' }] });
    expect(await made.names('U1')).toEqual(['KEA-1']);
    expect(await made.download('SA', '?version=1')).toContain('autostart: false');
  });

  it('asks for a reason before a label goes down or a platform gets new readers, and audits it', async () => {
    const lower = (await made.download()).replace('RESTRICTED', 'UNCLASSIFIED');
    const refused = await made.upload(lower);
    const taken = await made.result(lower, { query: '?reason=shown%20at%20the%20open%20day' });

    expect(refused.json()).toMatchObject({ code: 'reasonNeeded' });
    expect(taken).toMatchObject({ valid: true, needsReason: true });
    const rows = await made.db.selectFrom('audit').selectAll().where('action', '=', 'platform.changed').execute();
    const result = 'label RESTRICTED -> UNCLASSIFIED';
    expect(rows.at(-1)).toMatchObject({ reason: 'shown at the open day', item_label: 1, result });
  });

  it('leaves platforms above the clearance of an admin alone, and does not reveal them', async () => {
    await made.result(`${kea('udp://127.0.0.1:5000')}
  - name: TOP
    securityClassification: SECRET
    audience: everyone
`);

    expect(await made.download('A2')).not.toContain('TOP');
    expect(await made.result('[]', { by: 'A2' })).toMatchObject({ valid: true, changes: [{ platform: 'KEA-1' }] });
    expect(await made.names('SA')).toEqual(['TOP']);
    const above = await made.result('- {name: X, audience: everyone}', { by: 'A2' });
    expect(above.errors).toEqual([{ line: 1, text: 'X: The label is missing, or above your own clearance' }]);
  });

  const versionsOf = async (by: Subject) =>
    (await made.asUser(by).inject({ url: '/api/platformsConfig/versions' })).json() as PlatformVersion[];
  const restore = async (by: Subject, version: number | undefined) =>
    (
      await made.asUser(by).inject({ method: 'POST', url: `/api/platformsConfig/versions/${version}/restore` })
    ).json() as PlatformsConfigResult;
  const labelNow = async () =>
    (
      await made.db
        .selectFrom('platforms')
        .select('classification')
        .where('name', '=', 'KEA-1')
        .orderBy('updated', 'desc')
        .executeTakeFirstOrThrow()
    ).classification;

  it('does not write over a label that a mark raises at the same moment', async () => {
    await made.result(kea('udp://127.0.0.1:5000'));
    const waits = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(made.db);
      return rows.length;
    };

    const answer = await made.db.transaction().execute(async (tx) => {
      await tx.updateTable('platforms').set({ classification: 4 }).where('name', '=', 'KEA-1').execute();
      const changing = made.upload(kea('udp://127.0.0.1:5001'));
      await expect.poll(waits).toBe(1);
      return { changing };
    });

    expect((await answer.changing).json()).toMatchObject({ code: 'reasonNeeded' });
    expect(await labelNow()).toBe(4);
  });

  it('shows of an earlier configuration, and brings back, nothing that is above the clearance of an admin now', async () => {
    const [all] = await versionsOf('SA');
    const [seen] = await versionsOf('A2');

    const text = await made.download('A2', `?version=${all?.version}`);
    const back = await restore('A2', all?.version);

    expect([all?.platforms, seen?.platforms]).toEqual([1, 0]);
    expect(text).not.toContain('KEA-1');
    expect(back).toMatchObject({ valid: true, changes: [] });
    expect(await labelNow()).toBe(4);
  });

  it('asks for a reason where a platform comes back with a lower label than it was removed with', async () => {
    const [version] = await versionsOf('SA');
    await made.result('platforms: []');

    expect(await restore('SA', version?.version)).toMatchObject({ code: 'reasonNeeded' });
    expect(await made.names('SA')).toEqual([]);
  });

  it('keeps a hundred earlier configurations, and before them the last one of each day', async () => {
    const nowUs = Date.now() * 1000;
    const daysAgo = (days: number) => nowUs - days * 24 * 3600 * 1_000_000;
    const old = [daysAgo(40), daysAgo(2), daysAgo(2), ...Array.from({ length: 120 }, () => nowUs)];
    const rows = old.map((created, at) => ({ version: 1000 + at, created, author_id: null, platforms: '[]' }));
    await made.db.insertInto('platform_versions').values(rows).execute();

    await made.result(kea('udp://127.0.0.1:5002'));

    const retained = (await versionsOf('SA')).map(({ version }) => version);
    expect(retained).toHaveLength(101);
    expect([retained[0], retained[99], retained[100]]).toEqual([1123, 1024, 1002]);
  });
});

describe('T-085 an unsafe platforms.yml', () => {
  let made: Awaited<ReturnType<typeof server>>;
  beforeAll(async () => {
    made = await server();
    await made.result(kea('rtsp://cam:hush@10.1.2.3/main'));
  });

  const bomb = `a: &a [x, x, x]\nb: &b [*a, *a, *a]\nplatforms: [*b, *b]\n`;
  const files: [string, string, number | null][] = [
    ['file:', kea('file:///etc/passwd'), 12],
    ['exec:', kea('exec:reboot'), 12],
    ['pipe:', kea('pipe:0'), 12],
    ['gopher:', kea('gopher://10.1.2.3/1'), 12],
    ['a demuxer in front', kea('concat:http://10.1.2.3/a'), 12],
    ['an ffmpeg option in the address', kea('udp://127.0.0.1:5000?protocol_whitelist=file'), 12],
    ['an ffmpeg option of rtsp', kea('rtsp://10.1.2.3/a?listen=1'), 12],
    ['words behind the address', kea('"rtsp://10.1.2.3/a -f lavfi"'), 12],
    ['a key that can be guessed', kea('rtmp://127.0.0.1/live/drone'), 12],
    ['a link-local address', kea('http://169.254.169.254/latest'), 12],
    ['a mapped loopback address', kea('rtsp://[::ffff:127.0.0.1]/a'), 12],
    ['a name that leads to loopback', kea('tcp://localhost:5000'), 12],
    ['a number that is loopback', kea('tcp://2130706433:5000'), 12],
    ['an interface by name', kea('udp://camera.example:5000'), 12],
    ['a recording that is not there', kea(`replay:${crypto.randomUUID()}`), 12],
    ['aliases', bomb, 1],
    ['a tag', '- !!js/function x', 1],
    ['brackets without end', '['.repeat(100_000), 1],
    ['an unknown field', kea('udp://127.0.0.1:5000', 'hook: /bin/sh'), 3],
    ['a window of no day', kea('udp://127.0.0.1:5000', 'record: { schedule: ["Xon 06:00-18:00"] }'), 9],
    ['a window without end', kea('udp://127.0.0.1:5000', 'record: { schedule: ["Mon 06:00"] }'), 9],
    ['more than five minutes from before', kea('udp://127.0.0.1:5000', 'record: { preRollSeconds: 301 }'), 9],
    ['a priority before the first', kea('udp://127.0.0.1:5000').replace('priority: 2', 'priority: 0'), 8],
    ['a priority behind the last', kea('udp://127.0.0.1:5000').replace('priority: 2', 'priority: 10'), 8],
    ['a usergroup that is not there', kea('udp://127.0.0.1:5000').replace('[G1]', '[Nobody]'), 7],
    ['a name twice', `[{name: A}, {name: A}]`, 1],
    ['a key twice', kea('udp://127.0.0.1:5000', 'type: Plane'), 9],
    ['broken YAML', 'platforms: [', 1],
    ['no UTF-8', '\u00ff', null],
    ['2 MiB', `# ${'x'.repeat(2 * 1024 * 1024)}`, null],
  ];

  it.each(files)('%s is not valid and replaces nothing', async (name, text, line) => {
    const before = await made.download();
    const payload = name === 'no UTF-8' ? Buffer.from(text, 'latin1').toString('latin1') : text;
    const answer =
      name === 'no UTF-8' ? await sendBytes(made, Buffer.from([0xff, 0xfe, 0xfd])) : await made.upload(payload);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ valid: false });
    if (line !== null) expect((answer.json() as PlatformsConfigResult).errors[0]?.line).toBe(line);
    expect(await made.download()).toBe(before);
    expect(before).toContain('rtsp://cam:***@10.1.2.3/main');
  });

  it('does not compare each key of a map with all others, which took minutes', () => {
    const text = `- name: KEA-1\n${Array.from({ length: 40_000 }, (_, at) => `  key${at}: 1\n`).join('')}`;

    const file = readPlatformsFile(Buffer.from(text));

    expect('errors' in file && file.errors[0]?.line).toBe(1);
  }, 15_000);

  it('takes an address of loopback that the operator allows', async () => {
    const open = await testServer({ config: { sourceAllow: ['127.0.0.0/8'] } });
    const text = kea('tcp://localhost:5000');
    const answer = await uploadPlatforms(open, text);

    expect(answer.json()).toMatchObject({ valid: true });
  });

  it.each([
    ['rtsp://10.1.2.3/main', 'KEA-1: EO: from is for addresses that wait for senders: this one is called'],
    ['srt://10.1.2.3:9000', 'KEA-1: EO: from is for addresses that wait for senders: this one is called'],
    ['srt://127.0.0.1:9000?mode=listener', null],
    ['rtmp://127.0.0.1/live/k3y-of-64-kinds_abcdefgh', null],
  ])('takes senders for %s where it has any', async (url, text) => {
    const file = kea(url).replace(/url: (.*)/, 'url: $1\n        from: [10.0.0.0/8]');

    const { valid, errors } = await made.result(file, { query: '?preview=1' });

    expect(valid).toBe(text === null);
    expect(errors[0]?.text ?? '').toContain(text ?? '');
    if (text !== null) expect(errors[0]?.line).toBe(13);
  });

  it('says that a listener without senders takes packets from anybody', async () => {
    const open = await made.result(kea('udp://:5000'), { query: '?preview=1' });
    const closed = await made.result(
      kea('udp://127.0.0.1:5000').replace(/url: (.*)/, 'url: $1\n        from: [10.0.0.0/8]'),
      { query: '?preview=1' },
    );

    expect(open.warnings).toEqual(['KEA-1, EO: takes packets from any sender.']);
    expect(open.changes[0]?.fields).toContainEqual(
      expect.objectContaining({ field: 'EO, address', after: 'udp://:5000' }),
    );
    expect(closed.warnings).toEqual([]);
  });
});

const sendBytes = (made: Awaited<ReturnType<typeof server>>, bytes: Buffer) =>
  made.asUser('SA').inject({
    method: 'POST',
    url: '/api/upload/platformsConfig',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: Buffer.concat([
      Buffer.from('--x\r\ncontent-disposition: form-data; name="platforms"; filename="p"\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--x--\r\n'),
    ]),
  });
