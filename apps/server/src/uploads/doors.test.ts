import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { disguised } from '../../test/disguised.ts';
import { expectHarmless } from '../../test/harmless.ts';
import { type Sent, type SentFile, sendForm, sendTus, uploadAnswer } from '../../test/upload-client.ts';
import { startUploadServer, type UploadServer } from '../../test/upload-server.ts';

let server: UploadServer;
beforeAll(async () => {
  server = await startUploadServer();
  await server.user('admin');
  await server.user('reader', 'user');
});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const recording = () => readFileSync(testData('ts/kwiver/h264_klv.ts'));

type Door = (file: SentFile, sensor: { missionId: string; sensorId: string }, user?: string) => Promise<Sent>;
const doors: [string, Door][] = [
  ['the form', (file, sensor, user = 'admin') => sendForm(server, { user, sensor, files: [file] })],
  ['tus', (file, sensor, user = 'admin') => sendTus(server, { user, sensor, file })],
];

/** Sentence of the refusal for each bad stream. */
const REASONS: Record<string, string> = {
  'zero_bytes.ts': 'The file is empty.',
  'one_byte.ts': 'it is not a transport stream',
  'text.ts': 'it is not a transport stream',
  'mp4_inside.ts': 'it is not a transport stream',
  'sync_wrong.ts': 'it is not a transport stream',
  'null_packets_only.ts': 'the transport stream holds no program',
  'no_pmt.ts': 'the transport stream holds no program',
  'pmt_crc_bad.ts': 'the transport stream holds no program',
  'scrambled.ts': 'the transport stream is scrambled',
};

const rowsOf = (sensorId: string) =>
  server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensorId).execute();

describe.each(doors)('%s', (_door, send) => {
  expectHarmless(() => server.root);

  itWithData('takes a recording: durable, hashed, in its place, and ingest ordered', async () => {
    const sensor = await server.target();

    const { status } = await send({ name: 'flight.ts', bytes: recording() }, sensor);

    expect(status).toBeLessThan(300);
    const [row, ...more] = await rowsOf(sensor.sensorId);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ kind: 'ts', name: 'flight.ts', state: 'waiting', sha256: sha256(recording()) });
    expect(await server.files()).toContain(row!.storage_key);
    expect(row!.storage_key).toBe(`originals/${sensor.sensorId}/${row!.id}.ts`);
    const jobs = await server.db.selectFrom('jobs').selectAll().where('sensor_id', '=', sensor.sensorId).execute();
    expect(jobs).toMatchObject([{ kind: 'ingest', state: 'waiting' }]);
    const mission = await server.db
      .selectFrom('missions')
      .select('state')
      .where('id', '=', sensor.missionId)
      .executeTakeFirst();
    expect(mission).toEqual({ state: 'Processing' });
    expect(server.changedIds).toContain(sensor.missionId);
    expect(server.updates.filter(({ mission: id }) => id === sensor.missionId)[0]).toMatchObject({
      type: 'upload_progress',
      sensor: sensor.sensorId,
    });
  });

  itWithData(
    'refuses every bad stream, medium, archive and list that must be refused, says why, and keeps nothing of it',
    { timeout: 120_000 },
    async () => {
      type Expectation = { file: string; verdict: string };
      const expected = JSON.parse(readFileSync(testData('bad/expect.json'), 'utf8')) as Expectation[];
      // Faults that only unpacking shows end the archive's job.
      const later = ['zip/data_damaged.zip'];
      const rejected = expected.filter(
        ({ file, verdict }) =>
          verdict === 'reject' && /^(?:ts|zip|media|image|json|geo)\//.test(file) && !later.includes(file),
      );
      const sensor = await server.target();
      const before = await server.files();

      for (const { file } of rejected) {
        const started = performance.now();
        const name = file.split('/')[1]!;
        const sent = await send({ name, bytes: readFileSync(testData(`bad/${file}`)) }, sensor);

        expect([415, 422], file).toContain(sent.status);
        expect(['unsupportedFile', 'emptyFile', 'badArchive', 'badManifest', 'badFile'], file).toContain(sent.code);
        if (file.startsWith('ts/')) expect(sent.text, file).toContain(REASONS[name]);
        expect(sent.text, file).not.toContain('somebody named');
        expect(sent.text, file).not.toMatch(/\/tmp|root:|passwd|127\.0\.0\.1|osprey-uploads/);
        expect(performance.now() - started, file).toBeLessThan(5000);
      }

      expect(rejected.length).toBeGreaterThan(60);
      expect(await rowsOf(sensor.sensorId)).toEqual([]);
      expect(await server.files()).toEqual(before);
      const begun = server.db.selectFrom('uploads').selectAll().where('storage_key', 'like', 'uploads/%');
      expect(await begun.execute()).toEqual([]);
    },
  );

  itWithData('takes every damaged stream that can still be used', async () => {
    const sensor = await server.target();
    const taken = readdirSync(testData('bad/ts')).filter(
      (file) =>
        !/zero_bytes|one_byte|text|mp4_inside|sync_wrong|null_packets|no_pmt|no_pat|crc_bad|scrambled/.test(file),
    );

    for (const file of taken) {
      const sent = await send({ name: file, bytes: readFileSync(testData(`bad/ts/${file}`)) }, sensor);
      expect(sent.status, `${file}: ${sent.text}`).toBeLessThan(300);
    }

    expect((await rowsOf(sensor.sensorId)).map(({ name }) => name).sort()).toEqual(taken.sort());
  });

  itWithData('T-053 refuses programs, pages, playlists and lists that are named .ts', async () => {
    const sensor = await server.target();
    const before = await server.files();
    for (const [what, bytes] of Object.entries(disguised)) {
      const sent = await send({ name: 'flight.ts', bytes }, sensor);
      expect(sent, what).toMatchObject({ status: 415, code: 'unsupportedFile' });
    }

    expect(await server.files()).toEqual(before);
  });

  itWithData('keeps odd names as text only, or refuses them', async () => {
    const { names } = JSON.parse(readFileSync(testData('bad/names.json'), 'utf8')) as { names: { name: string }[] };
    const sensor = await server.target();

    for (const { name } of names) {
      const sent = await send({ name, bytes: recording() }, sensor);
      expect(sent.status, name).toBeLessThan(500);
    }

    const rows = await rowsOf(sensor.sensorId);
    for (const row of rows) {
      expect(row.storage_key).toMatch(/^originals\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.ts$/);
      expect(row.name).not.toMatch(/[/\\\p{Cc}\u202e]/u);
    }
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.map(({ name }) => name)).not.toContain('x.ts.exe');
  });

  itWithData('answers 404 for a mission that the sender cannot see, 403 for one that they may only watch', async () => {
    const sensor = await server.target();
    const file = { name: 'flight.ts', bytes: recording() };
    expect((await send(file, sensor, 'reader')).status).toBe(404);

    await server.db.updateTable('missions').set({ state: 'Ready' }).where('id', '=', sensor.missionId).execute();

    expect((await send(file, sensor, 'reader')).status).toBe(403);
    expect((await send(file, sensor, 'nobody')).status).toBe(401);
    expect((await send(file, { ...sensor, sensorId: crypto.randomUUID() })).status).toBe(404);
    expect(await rowsOf(sensor.sensorId)).toEqual([]);
  });

  itWithData('orders an archive to be unpacked, and takes manifests and sidecars as such', async () => {
    const sensor = await server.target();
    const text = (value: string) => new TextEncoder().encode(value);

    await send({ name: 'hls.zip', bytes: readFileSync(testData('bad/zip/good_hls.zip')) }, sensor);
    await send({ name: 'order.json', bytes: text('{"files":[{"name":"a.ts"}]}') }, sensor);
    await send({ name: 'track.csv', bytes: text('time,13,14\n2020-01-01T00:00:00Z,1,2\n') }, sensor);

    const rows = await rowsOf(sensor.sensorId);
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['archive', 'manifest', 'sidecar']);
    const jobs = await server.db.selectFrom('jobs').selectAll().where('sensor_id', '=', sensor.sensorId).execute();
    expect(jobs.map(({ kind }) => kind).sort()).toEqual(['archive', 'ingest']);
    expect(server.updates.some(({ type, mission }) => type === 'hlsDetection' && mission === sensor.missionId)).toBe(
      true,
    );
  });
});

describe('a form', () => {
  itWithData('with several files is taken in one go, and answers their assets', async () => {
    const sensor = await server.target();
    const files = ['a.ts', 'b.ts'].map((name) => ({ name, bytes: recording() }));

    const sent = await sendForm(server, { user: 'admin', sensor, files });

    expect(uploadAnswer.parse(sent.body).files.map(({ name, state }) => [name, state])).toEqual([
      ['a.ts', 'waiting'],
      ['b.ts', 'waiting'],
    ]);
    expect(
      await server.db.selectFrom('jobs').selectAll().where('sensor_id', '=', sensor.sensorId).execute(),
    ).toHaveLength(1);
  });

  itWithData('with one bad file is refused whole', async () => {
    const sensor = await server.target();
    const before = await server.files();
    const files = [
      { name: 'a.ts', bytes: recording() },
      { name: 'b.ts', bytes: Buffer.from('no stream') },
    ];

    const sent = await sendForm(server, { user: 'admin', sensor, files });

    expect(sent).toMatchObject({ status: 415, code: 'unsupportedFile' });
    expect(await rowsOf(sensor.sensorId)).toEqual([]);
    expect(await server.files()).toEqual(before);
  });

  it('without a file, or that is no form, is invalid', async () => {
    const sensor = await server.target();

    expect(await sendForm(server, { user: 'admin', sensor, files: [] })).toMatchObject({
      status: 400,
      code: 'invalid',
    });
    const url = `${server.address}/api/missions/upload/${sensor.missionId}/${sensor.sensorId}`;
    const json = { 'x-user': 'admin', 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers: json, body: '{}' })).status).toBe(415);
  });

  itWithData('finds mission and sensor by name, percent-encoded once', async () => {
    const sensor = await server.target();
    const name = `näme-${sensor.missionId}`;
    await server.db.updateTable('missions').set({ name }).where('id', '=', sensor.missionId).execute();
    const named = { missionId: encodeURIComponent(name), sensorId: encodeURIComponent('EO/IR') };

    const sent = await sendForm(server, {
      user: 'admin',
      sensor: named,
      files: [{ name: 'a.ts', bytes: recording() }],
    });

    expect(sent.status).toBe(200);
    expect(await rowsOf(sensor.sensorId)).toHaveLength(1);
  });

  it('is answered early when its beginning is refused, however much follows', async () => {
    const sensor = await server.target();
    const before = await server.files();

    const sent = await sendForm(server, {
      user: 'admin',
      sensor,
      files: [{ name: 'zeros.ts', bytes: new Uint8Array(64 * 1024 * 1024) }],
    });

    expect(sent).toMatchObject({ status: 415, code: 'unsupportedFile' });
    expect(await server.files()).toEqual(before);
  });
});
