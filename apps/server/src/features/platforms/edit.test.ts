import type { PlatformConfig, PlatformVersion } from '@osprey/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { addPlatform } from '../../../test/platforms.ts';
import { askAs } from '../../../test/recordings.ts';
import { type Subject, type TestServer, testServer } from '../../../test/server.ts';

type Answer = { _id: string; message: string; warnings: string[]; code: string; text: string };

const kea = (more: object = {}) => ({
  ...{ name: 'KEA-1', type: 'Helicopter', color: '#22CCDD', securityClassification: 'RESTRICTED', usergroups: ['G1'] },
  sensors: [{ name: 'EO', url: 'rtsp://cam:hush%21@10.1.2.3/main' }],
  ...more,
});

describe('a platform of the page', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({ config: { sourceAllow: [] } });
  });
  const ask = (by: Subject) => askAs(server, by);
  const create = (body: object, by: Subject = 'SA') => ask(by).post<Answer>('/api/platforms', body);
  const update = (id: string, body: object, query = '') => ask('SA').put<Answer>(`/api/platforms/${id}${query}`, body);
  const config = async (id: string, by: Subject = 'SA') => ask(by).get<PlatformConfig>(`/api/platforms/${id}/config`);
  const secrets = async () =>
    (await server.db.selectFrom('platform_sensors').select(['name', 'secret']).orderBy('name').execute()).map(
      ({ secret }) => secret,
    );

  it('is added with a version of the configuration, and shown for editing without its passwords', async () => {
    const { status, body } = await create(kea());

    expect(status).toBe(200);
    expect(body).toMatchObject({ message: 'Platform KEA-1 added.', warnings: [] });
    expect((await config(body._id)).body).toMatchObject({
      ...kea({ color: '#22ccdd' }),
      sensors: [{ name: 'EO', url: 'rtsp://cam:***@10.1.2.3/main', from: [] }],
    });
    const versions = await ask('SA').get<PlatformVersion[]>('/api/platformsConfig/versions');
    expect(versions.body).toMatchObject([{ version: 1, platforms: 1, current: true }]);
    const audit = await server.db.selectFrom('audit').select('action').where('item_id', '=', body._id).execute();
    expect(audit.map(({ action }) => action)).toEqual(['platform.added', 'platformConfig.download']);
  });

  it('keeps its id under a new name, and its password where *** comes back', async () => {
    const [{ id = '' } = {}] = await server.db.selectFrom('platforms').select('id').execute();
    const before = await secrets();
    const { body: shown } = await config(id);

    const renamed = await update(id, { ...shown, name: 'KEA-2' });
    const elsewhere = await update(id, {
      ...(await config(id)).body,
      sensors: [{ ...shown.sensors[0], url: 'rtsp://cam:***@10.9.9.9/main' }],
    });

    expect(renamed.body).toMatchObject({ _id: id, message: 'Platform KEA-2 saved.' });
    expect(elsewhere.body).toMatchObject({ code: 'ruleRefused', text: expect.stringContaining('write the password') });
    expect(await secrets()).toEqual(before);
  });

  it('is not overwritten by a user who read it before another saved it', async () => {
    const { body: made } = await create(kea({ name: 'KEA-9' }));
    const { body: shown } = await config(made._id);
    await update(made._id, { ...shown, description: 'first' });

    const late = await update(made._id, { ...shown, priority: 1 });
    const { body: again } = await config(made._id);
    const read = await update(made._id, { ...again, priority: 1 });

    expect(late).toMatchObject({ status: 409, body: { code: 'revisionConflict' } });
    expect(read.status).toBe(200);
    expect((await config(made._id)).body).toMatchObject({ description: 'first', priority: 1 });
  });

  it('is refused with a taken name, an unknown usergroup, an address that may not be, and a label above the caller', async () => {
    const codes = await Promise.all([
      create(kea({ name: 'KEA-2' })),
      create(kea({ name: 'X', usergroups: ['nobody'] })),
      create(kea({ name: 'X', sensors: [{ name: 'EO', url: 'file:///etc/passwd' }] })),
      create(kea({ name: 'X', securityClassification: 'SECRET' }), 'A2'),
      create(kea({ name: 'X', hook: '/bin/sh' })),
    ]);

    expect(codes.map(({ body }) => body.code)).toEqual([
      ...['ruleRefused', 'ruleRefused', 'ruleRefused', 'ruleRefused', 'invalid'],
    ]);
    expect(codes[0]?.body.text).toBe('Platform KEA-2 already exists.');
  });

  it('asks for a reason before its label goes down, and is removed without its recordings', async () => {
    const { body } = await create(kea({ name: 'KEA-3' }));
    const lower = kea({ name: 'KEA-3', securityClassification: 'UNCLASSIFIED', sensors: [] });
    const reason = 'shown at the open day';

    expect((await update(body._id, lower)).body.code).toBe('reasonNeeded');
    expect((await update(body._id, lower, `?reason=${encodeURIComponent(reason)}`)).status).toBe(200);
    const rows = server.db.selectFrom('audit').selectAll().where('item_id', '=', body._id).orderBy('seq');
    expect(await rows.execute()).toMatchObject([
      { action: 'platform.added', item_label: 2 },
      { action: 'platform.changed', item_label: 1, result: 'label RESTRICTED -> UNCLASSIFIED', reason },
    ]);
    const gone = await ask('SA').delete<Answer>(`/api/platforms/${body._id}`);

    expect(gone.body.message).toBe('Platform KEA-3 deleted.');
    expect((await config(body._id)).status).toBe(404);
  });

  it('above the clearance of an admin is not there for them', async () => {
    const id = await addPlatform(server.db, { name: 'TOP', classification: 4, audience: 'everyone' });

    expect((await config(id, 'A2')).status).toBe(404);
    expect((await ask('A2').put(`/api/platforms/${id}`, kea({ name: 'mine' }))).status).toBe(404);
    expect((await ask('A2').delete(`/api/platforms/${id}`)).status).toBe(404);
    expect((await ask('A2').put(`/api/platforms/usergroups/${id}`, {})).status).toBe(404);
  });
});

describe('platforms/usergroups', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  const share = (by: Subject, name: string, query: string) =>
    askAs(server, by).put<Answer>(`/api/platforms/usergroups/${encodeURIComponent(name)}?${query}`, {});
  const groupsOf = async (id: string) =>
    (await server.db.selectFrom('platform_usergroups').selectAll().where('platform_id', '=', id).execute())
      .map(({ usergroup_id }) => usergroup_id)
      .sort();

  it('shares a platform with the named groups alone, for more people only with a reason', async () => {
    const { G1, G2 } = server.groups;
    const id = await addPlatform(server.db, { name: 'Sea Eagle', usergroups: [G1] });

    const without = await share('SA', 'Sea Eagle', `ids=${G1},${G2}`);
    const withReason = await share('SA', 'Sea Eagle', `ids=${G1},${G2}&reason=joint%20exercise`);
    const shared = await groupsOf(id);
    const narrowed = await askAs(server, 'SA').post<Answer>(`/api/platforms/usergroups/${id}?ids=${G2}`);

    expect(without.body.code).toBe('reasonNeeded');
    expect(withReason.body).toEqual({ message: 'Platform Sea Eagle saved.' });
    expect(shared).toEqual([G1, G2].sort());
    expect(narrowed.status).toBe(200);
    expect(await groupsOf(id)).toEqual([G2]);
    expect((await share('SA', id, `ids=${crypto.randomUUID()}`)).body.code).toBe('unknownUsergroup');
  });

  it('lets groupAdmins act on platforms of their own groups alone, and never widen', async () => {
    const { G1, G2, Demo } = server.groups;
    const own = await addPlatform(server.db, { usergroups: [G1] });
    const shared = await addPlatform(server.db, { usergroups: [G1, G2] });
    const foreign = await addPlatform(server.db, { usergroups: [G2] });

    expect((await share('GA', own, `ids=${G1}`)).status).toBe(200);
    expect((await share('GA', own, `ids=${G1},${Demo}&reason=a%20good%20reason`)).status).toBe(403);
    expect((await share('GA', shared, `ids=${G1}`)).status).toBe(403);
    expect((await share('GA', foreign, `ids=${G1}`)).status).toBe(404);
    expect((await share('U1', own, `ids=${G1}`)).status).toBe(403);
  });

  it('adds the platform for admins where createIfNotExists says so', async () => {
    const { G2 } = server.groups;

    expect((await share('SA', 'new one', `ids=${G2}`)).status).toBe(404);
    expect((await share('GA', 'new one', 'createIfNotExists')).status).toBe(403);
    const made = await share('SA', 'new one', `ids=${G2}&createIfNotExists`);
    expect([made.status, made.body.message]).toEqual([200, 'Platform new one added with the label TOP SECRET.']);
    const rowOf = (name: string) =>
      server.db.selectFrom('platforms').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
    const row = await rowOf('new one');
    expect(row).toMatchObject({ classification: 5, marked: false, audience: 'groups' });
    expect(await groupsOf(row.id)).toEqual([G2]); // S2-490
  });

  it('gives such a platform the label that is sent, else the lowest ceiling of its usergroups, and leaves it unmarked', async () => {
    const { Demo, G1, G2 } = server.groups;
    const added = async (name: string, query: string) => {
      expect((await share('SA', name, `${query}&createIfNotExists`)).status).toBe(200);
      return server.db.selectFrom('platforms').select(['classification', 'marked']).where('name', '=', name).execute();
    };

    expect(await added('of G1', `ids=${G1},${G2}`)).toEqual([{ classification: 3, marked: false }]);
    expect(await added('of Demo', `ids=${Demo},${G1}`)).toEqual([{ classification: 1, marked: false }]);
    expect(await added('of nobody', '')).toEqual([{ classification: 5, marked: false }]);
    const sent = `ids=${G1}&securityClassification=RESTRICTED`;
    expect(await added('as sent', sent)).toEqual([{ classification: 2, marked: false }]);
  });
});
