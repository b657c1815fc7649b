import type { PlatformsConfigResult } from '@osprey/contract';
import { describe, expect, it } from 'vitest';
import { addMission, addSensor } from '../../../test/missions.ts';
import { addPlatform, uploadPlatforms } from '../../../test/platforms.ts';
import { askAs, recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { readOrders } from './recorder-orders.ts';

const made = await recordingServer();
const { db, groups } = made;

/** A recording of RESTRICTED for G1; returns its mission and the address that plays it. */
async function recording(fields: Parameters<typeof addMission>[1] = {}) {
  const mission = await addMission(db, { classification: 2, audience: 'groups', state: 'Ready', ...fields });
  await db.insertInto('mission_usergroups').values({ mission_id: mission, usergroup_id: groups.G1 }).execute();
  return { mission, url: `replay:${await addSensor(db, mission)}` };
}

type Shown = { label?: string; shared?: string };

const file = (url: string, { label = 'RESTRICTED', shared = 'usergroups: [G1]' }: Shown = {}) => `
platforms:
  - name: KEA
    securityClassification: ${label}
    ${shared}
    sensors:
      - name: EO
        url: ${url}
`;

async function upload(text: string, sent: { by?: Subject; query?: string } = {}) {
  const answer = await uploadPlatforms(made, text, sent);
  return answer.json() as PlatformsConfigResult;
}

const LABEL = 'The label of the platform is below that of the recording: raise it first';
const AUDIENCE =
  'More people see the platform than may see the recording: share it with the usergroups of the recording alone';

describe('a recording that is played again', () => {
  it.each([
    ['with its label and usergroups', {}, null],
    ['with a higher label', { label: 'CONFIDENTIAL', shared: 'usergroups: []' }, null],
    ['with a lower label', { label: 'UNCLASSIFIED' }, LABEL],
    ['for everybody', { shared: 'audience: everyone' }, AUDIENCE],
    ['for another usergroup too', { shared: 'usergroups: [G1, G2]' }, AUDIENCE],
  ])('is configured %s, or refused with the reason', async (_how, shown, problem) => {
    const { url } = await recording();

    const { valid, errors } = await upload(file(url, shown), { query: '?preview=1' });

    expect(errors).toEqual(problem === null ? [] : [{ line: 8, text: `KEA: EO: ${problem}` }]);
    expect(valid).toBe(problem === null);
  });

  it('is unknown to who may not see it, and for admins alone before its files are there', async () => {
    const hidden = await recording({ classification: 4 });
    const draft = await recording({ state: 'Created' });

    const unseen = await upload(file(hidden.url), { query: '?preview=1', by: 'A2' });
    const created = await upload(file(draft.url), { query: '?preview=1' });

    expect(unseen.errors).toEqual([{ line: 8, text: 'KEA: EO: There is no such recording' }]);
    expect(created.errors).toEqual([
      { line: 8, text: 'KEA: EO: The recording is in state Created: it is for admins alone' },
    ]);
  });

  it('is shown to no new viewer by a later change, nor by an earlier configuration', async () => {
    const { mission, url } = await recording();
    expect(await upload(file(url))).toMatchObject({ valid: true });
    const ask = askAs(made, 'SA');

    const wider = await made.asUser('SA').inject({
      method: 'PUT',
      url: `/api/platforms/usergroups/KEA?ids=${groups.G1}&ids=${groups.G2}&reason=for%20all%20who%20ask`,
    });
    expect(await upload('platforms: []')).toMatchObject({ valid: true });
    await db.updateTable('missions').set({ classification: 4 }).where('id', '=', mission).execute();
    const { body: versions } = await ask.get<{ version: number; platforms: number }[]>('/api/platformsConfig/versions');
    const { version } = versions.find(({ platforms }) => platforms === 1)!;
    const back = await ask.post<{ code: string; text: string }>(`/api/platformsConfig/versions/${version}/restore`, {});

    expect(wider.json()).toMatchObject({ code: 'ruleRefused', text: expect.stringContaining(AUDIENCE) });
    expect(back.body).toMatchObject({ code: 'ruleRefused', text: expect.stringContaining(LABEL) });
  });

  it.each([
    ['its label rose', { classification: 3 }, LABEL],
    ['it went to the bin', { deleted_time: 1 }, 'There is no such recording'],
  ])('is neither started nor left on once %s', async (_what, change, problem) => {
    const { mission, url } = await recording();
    const id = await addPlatform(db, { classification: 2, usergroups: [groups.G1], autostart: true });
    await db.updateTable('platform_sensors').set({ url }).where('platform_id', '=', id).execute();
    const limits = { live: true, ais: true, recordingsMax: null, isRecorded: () => false };
    const ordered = async () =>
      (await readOrders(db, limits)).platforms.find(({ platformId }) => platformId === id)?.sensors;
    const before = await ordered();

    await db.updateTable('missions').set(change).where('id', '=', mission).execute();

    expect(before).toMatchObject([{ on: true, refused: undefined }]);
    expect(await ordered()).toMatchObject([{ on: false, refused: problem }]);
    const body = { platformName: id };
    const started = await askAs(made, 'SA').post<object>('/api/platforms/control?command=start', body);
    expect(started.body).toMatchObject({ code: 'ruleRefused', text: expect.stringContaining(problem) });
  });
});
