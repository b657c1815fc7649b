import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformsConfigResult } from '@osprey/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Subject, testServer } from '../../test/server.ts';
import { secretBox } from '../access/secret-box.ts';
import { secretFile } from '../access/secret-file.ts';

type Sent = { by?: Subject; query?: string };

async function server() {
  const made = await testServer({ config: { sourceAllow: [] } });
  const form = (text: string) =>
    `--x\r\ncontent-disposition: form-data; name="platforms"; filename="platforms.yml"\r\n\r\n${text}\r\n--x--\r\n`;
  const upload = (text: string, { by = 'SA', query = '' }: Sent = {}) =>
    made.asUser(by).inject({
      method: 'POST',
      url: `/api/upload/platformsConfig${query}`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: form(text),
    });
  const result = async (text: string, sent?: Sent) => (await upload(text, sent)).json() as PlatformsConfigResult;
  const download = async (by: Subject = 'SA', query = '') =>
    (await made.asUser(by).inject({ method: 'GET', url: `/api/platformsConfigFile${query}` })).body;
  const names = async (by: Subject) =>
    ((await made.asUser(by).inject({ method: 'GET', url: '/api/platforms' })).json() as { name: string }[]).map(
      ({ name }) => name,
    );
  return { ...made, upload, result, download, names };
}

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

  it('never tells the key that an encoder pushes with, and keeps it', async () => {
    const made = await server();
    const taken = await made.result(kea('rtmp://127.0.0.1:1935/live/k3y-of-64-kinds_abcdefgh'));
    const file = await made.download();

    const again = await made.result(file);

    expect([taken.valid, again]).toMatchObject([true, { valid: true, unchanged: 1, changes: [] }]);
    expect(file).toContain('rtmp://127.0.0.1:1935/live/***');
    const [sensor] = await made.db.selectFrom('platform_sensors').selectAll().execute();
    expect(JSON.stringify([taken, file, sensor])).not.toContain('k3y-of');
    const box = secretBox(await secretFile(join(made.dataDir, 'keys', 'platforms.key')));
    expect(box.open(sensor?.secret ?? '')).toEqual(['k3y-of-64-kinds_abcdefgh']);
  });

  it('tells the differences before anything is changed, and refuses to apply them to another configuration', async () => {
    const changed = kea('rtsp://cam:***@10.1.2.3:554/main?token=***&channel=1', 'autostart: true');
    const shown = await made.result(changed, { query: '?preview=1' });
    const stale = await made.upload(changed, { query: `?expected=${'0'.repeat(32)}` });
    const stillThere = await made.download();
    const applied = await made.result(changed, { query: `?expected=${shown.revision}` });

    expect(shown.changes).toEqual([
      { kind: 'changed', platform: 'KEA-1', fields: [{ field: 'autostart', before: 'no', after: 'yes' }] },
    ]);
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

  it('asks for a reason before a label goes down or somebody new may see a platform, and audits it', async () => {
    const lower = (await made.download()).replace('RESTRICTED', 'UNCLASSIFIED');
    const refused = await made.upload(lower);
    const taken = await made.result(lower, { query: '?reason=shown%20at%20the%20open%20day' });

    expect(refused.json()).toMatchObject({ code: 'reasonNeeded' });
    expect(taken).toMatchObject({ valid: true, needsReason: true });
    const rows = await made.db.selectFrom('audit').selectAll().where('action', '=', 'platform.changed').execute();
    expect(rows.at(-1)).toMatchObject({ reason: 'shown at the open day', item_label: 1 });
  });

  it('leaves platforms above the clearance of an admin alone, and does not tell of them', async () => {
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
    ['a name twice', `[{name: A}, {name: A}]`, 1],
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

  it('takes an address of loopback that the operator allows', async () => {
    const open = await testServer({ config: { sourceAllow: ['127.0.0.0/8'] } });
    const text = kea('tcp://localhost:5000');
    const answer = await open.asUser('SA').inject({
      method: 'POST',
      url: '/api/upload/platformsConfig',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: `--x\r\ncontent-disposition: form-data; name="platforms"; filename="p"\r\n\r\n${text}\r\n--x--\r\n`,
    });

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
