import type { LivePlatform } from '@osprey/contract';
import type { Api } from '../test-support/data/api.ts';
import { freeUdpPort, uploadPlatforms } from '../test-support/data/platforms.ts';
import type { Recordings } from '../test-support/data/recordings.ts';
import type { RunningServer } from '../test-support/server.ts';

const POLL_MS = 250;

/** A one-page PDF, as it might accompany a map of ships. */
const REPORT = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 540]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 330>>stream
BT /F1 24 Tf 36 480 Td (Patrol west of Kea) Tj
/F1 12 Tf 0 -40 Td (Area: north-west coast, 14 to 22 km off the harbour.) Tj
0 -20 Td (Four ships on the lane, one small craft without lights.) Tj
0 -20 Td (Wind 12 kn from north, sea state 3, good sight.) Tj
0 -40 Td (Recordings: PATROL-KEA, sensors EO and IR.) Tj ET
endstream endobj
trailer<</Root 1 0 R>>`;

const HARBOUR = JSON.stringify({
  type: 'Polygon',
  coordinates: [
    [
      [24.28, 37.65],
      [24.34, 37.65],
      [24.34, 37.69],
      [24.28, 37.69],
      [24.28, 37.65],
    ],
  ],
});

const platforms = (port: number) => `platforms:
  - name: KEA-1
    description: Coastal patrol
    color: "#22c7e6"
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    priority: 2
    sensors:
      - { name: EO, url: "udp://127.0.0.1:${port}" }
  - name: MAST-3
    type: Camera
    description: Harbour mast
    color: "#8e7bff"
    securityClassification: RESTRICTED
    audience: everyone
    sensors:
      - { name: Wide, url: "rtsp://camera:secret@10.1.2.3:554/main" }
  - name: ROV-2
    type: ROV
    description: Cable inspection
    color: "#f59e6b"
    securityClassification: UNCLASSIFIED
    audience: everyone
    sensors:
      - { name: Front, url: "udp://127.0.0.1:${port + 1}" }
`;

export type Prepared = {
  /** Port on which KEA-1 receives its stream. */
  port: number;
  /** Path of a changed platforms.yml. */
  changedPlatforms: string;
};

type Parts = { server: RunningServer; api: Api; recordings: Recordings };

/** Creates the content shown in the pictures: missions, accounts named after their roles, documents, platforms. */
export async function prepare({ server, api, recordings }: Parts): Promise<Prepared> {
  const port = await freeUdpPort();
  await uploadPlatforms(server.address, platforms(port));
  const coast = await api.addGroup('Coast watch', 'CONFIDENTIAL');
  const rescue = await api.addGroup('Rescue', 'RESTRICTED');
  await addAccounts(api, { coast, rescue });
  await addMissions(api, recordings, { coast, rescue });
  await addDocuments(api, { coast });
  const changedPlatforms = platforms(port)
    .replace('Harbour mast', 'Harbour mast, north')
    .replace('priority: 2', 'priority: 1')
    .replace('ROV-2', 'ROV-4');
  return { port, changedPlatforms };
}

type Groups = { coast: string; rescue: string };

async function addAccounts(api: Api, { coast, rescue }: Groups): Promise<void> {
  await api.addUser('deputy-admin', { role: 'admin', clearance: 'SECRET' });
  await api.addUser('group-admin', {
    role: 'groupAdmin',
    clearance: 'CONFIDENTIAL',
    groups: [coast],
    administers: [coast],
  });
  await api.addUser('analyst', { clearance: 'CONFIDENTIAL', groups: [coast, rescue] });
  await api.addUser('operator', { clearance: 'RESTRICTED', groups: [coast] });
  await api.addUser('observer');
}

async function addMissions(api: Api, recordings: Recordings, { coast, rescue }: Groups): Promise<void> {
  const hour = 3_600_000_000;
  const nineUs = Date.UTC(2026, 5, 1, 9) * 1000;
  const small = { width: 640, height: 360, fps: 15, seconds: 12, ships: 3 };
  const greece = { country_code: 'GR', country_name: 'Greece', rating: 3 };
  const by = (name: string, color: string) => ({ ...greece, platform: { name, presentation: { color } } });
  const [kea, mast, rov] = [by('KEA-1', '#1b8ca3'), by('MAST-3', '#6b57e0'), by('ROV-2', '#c8642a')];
  const flown = (name: string, hours: number, more = {}) =>
    recordings.simulated(`${name}.ts`, { ...small, startUs: nineUs - hours * hour, ...more });
  await api.addRecorded(
    { name: 'CABLE-SURVEY', description: 'Cable from Tinos to Mykonos', tags: ['cable'], ...rov, usergroups: [rescue] },
    { 'EO/IR': await flown('cable', 30, { origin: [25.28, 37.5], track: 'racetrack', seed: 4 }) },
  );
  await api.addRecorded(
    {
      name: 'FERRY-LANE',
      description: 'Traffic between Syros and Tinos',
      tags: ['traffic', 'ferry'],
      securityClassification: 'RESTRICTED',
      ...kea,
      usergroups: [coast],
    },
    { 'EO/IR': await flown('ferry', 20, { origin: [25.03, 37.47], seed: 3 }) },
  );
  await api.addRecorded(
    {
      name: 'HARBOUR-WATCH',
      description: 'Harbour of Lavrio by night',
      tags: ['harbour'],
      ...mast,
      audience: 'everyone',
    },
    { IR: await flown('harbour', 8, { origin: [24.08, 37.71], sensor: 2, seed: 2 }) },
  );
  await api.addMission({ name: 'NIGHT-TRANSIT', description: 'Waiting for its files', ...kea });
  const eye = { width: 960, height: 540, fps: 25, seconds: 20, ships: 4 };
  await api.addRecorded(
    { name: 'PATROL-KEA', description: 'Coastal patrol off Kea', tags: ['patrol'], ...kea, audience: 'everyone' },
    {
      EO: await recordings.simulated('eo.ts', eye),
      IR: await recordings.simulated('ir.ts', { ...eye, width: 640, height: 360, sensor: 2 }),
    },
  );
}

async function addDocuments(api: Api, { coast }: Pick<Groups, 'coast'>): Promise<void> {
  await api.addDocument('Log of the mast', {
    name: 'mast-log.txt',
    body: '06:00 wind 8 kn north\n07:00 wind 12 kn north\n08:00 two ferries out of Lavrio\n',
  });
  await api.addDocument(
    'Ships of June',
    { name: 'ships.csv', body: 'name;length;speed\nMeltemi;84;12\nSirocco;120;14\nLevante;62;9\n' },
    { documentType: 'Log', tags: '["traffic"]', restricted: 'true' },
  );
  await api.addDocument(
    'Anchorage',
    { name: 'anchorage.geojson', body: HARBOUR },
    {
      documentType: 'Misc',
      description: 'Where ships wait for the harbour',
      securityClassification: 'RESTRICTED',
      usergroups: JSON.stringify([coast]),
    },
  );
  const report = await api.addDocument(
    'Patrol report',
    { name: 'patrol.pdf', body: REPORT },
    { documentType: 'Report', platformName: 'KEA-1', description: 'Patrol of June 1', tags: '["patrol"]' },
  );
  await until(async () => (await api.send<{ state: string }>('GET', `documents/${report}`)).state === 'Ready');
}

/** Waits until the live stream of KEA-1 has arrived. */
export const untilOnline = (api: Api): Promise<void> =>
  until(async () =>
    (await api.send<LivePlatform[]>('GET', 'platforms')).some(
      ({ name, state }) => name === 'KEA-1' && state === 'online',
    ),
  );

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const latest = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > latest) throw new Error('What the pictures show did not come.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
