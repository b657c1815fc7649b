import type { Kysely } from 'kysely';
import type { Database } from '../src/base/db/schema.ts';
import { writePlatform } from '../src/features/platforms/write-rows.ts';
import type { Subject, TestServer } from './server.ts';

/** Uploads a platforms.yml as its dialog does. */
export function uploadPlatforms(
  server: Pick<TestServer, 'asUser'>,
  text: string,
  { by = 'SA', query = '' }: { by?: Subject; query?: string } = {},
) {
  return server.asUser(by).inject({
    method: 'POST',
    url: `/api/upload/platformsConfig${query}`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: `--x\r\ncontent-disposition: form-data; name="platforms"; filename="p"\r\n\r\n${text}\r\n--x--\r\n`,
  });
}

/** A platforms.yml of one platform that everyone may see, with a sensor on each of these ports, by name. */
export const openPlatform = (ports: Record<string, number>): string => `platforms:
  - name: KEA-1
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
${Object.entries(ports)
  .map(([name, port]) => `      - { name: ${name}, url: "udp://127.0.0.1:${port}" }`)
  .join('\n')}
`;

type Requested = {
  name?: string;
  classification?: number;
  audience?: 'everyone' | 'groups';
  usergroups?: readonly string[];
  autostart?: boolean;
  /** Names of its sensors. */
  sensors?: readonly string[];
};

/** A platform with a sensor EO that listens on loopback, unless `requested` says else. Returns its id. */
export async function addPlatform(db: Kysely<Database>, requested: Requested = {}): Promise<string> {
  const id = crypto.randomUUID();
  const { sensors = ['EO'], usergroups = [], ...fields } = requested;
  await db.transaction().execute((tx) =>
    writePlatform(
      tx,
      {
        ...{ id, name: `platform ${id}`, description: '', type: 'Plane', color: '#22ccdd', classification: 1 },
        ...{ marked: true, audience: 'groups', priority: 5, autostart: false },
        record: { onPresence: false, schedule: [], preRollSeconds: 0 },
        ...fields,
        usergroups: [...usergroups],
        sensors: sensors.map((name) => ({
          ...{ id: crypto.randomUUID(), name, description: '', type: 'video' },
          ...{ url: 'udp://127.0.0.1:5000', secret: null, senders: [] },
        })),
      },
      0,
    ),
  );
  return id;
}

/** Ids of the sensors of a platform, by name. */
export async function sensorsOf(db: Kysely<Database>, platformId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('platform_sensors')
    .select(['id', 'name'])
    .where('platform_id', '=', platformId)
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
}
