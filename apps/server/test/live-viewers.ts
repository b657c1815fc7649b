import { LIVE_SOCKET_PATH, type LiveSocketMessage, liveSocketMessage, platformRecord } from '@osprey/contract';
import { WebSocket } from 'ws';
import type { Subject, TestServer } from './server.ts';

/** A new platform with one sensor, for the members of G1; their usergroup lets them watch by `modes`. */
export async function livePlatform(
  { db, groups }: Pick<TestServer, 'db' | 'groups'>,
  { modes = ['Preview', 'WebRtc'], label = 1 }: { modes?: string[]; label?: number } = {},
): Promise<{ platformId: string; sensorId: string }> {
  await db.updateTable('usergroups').set({ live_modes: modes }).where('id', '=', groups.G1).execute();
  const nowUs = Date.now() * 1000;
  const record = JSON.stringify(platformRecord.parse({}));
  const { id: platformId } = await db
    .insertInto('platforms')
    .values({
      ...{ name: `p-${crypto.randomUUID()}`, description: '', type: 'Plane', color: '#004dcf', classification: label },
      ...{ marked: true, audience: 'groups', priority: 1, autostart: true, record, deleted_time: null },
      ...{ created: nowUs, updated: nowUs },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('platform_usergroups').values({ platform_id: platformId, usergroup_id: groups.G1 }).execute();
  const source = { url: 'udp://:5000', secret: null, senders: [], switched: true };
  const { id: sensorId } = await db
    .insertInto('platform_sensors')
    .values({ platform_id: platformId, position: 0, name: 'EO', description: '', type: 'video', ...source })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { platformId, sensorId };
}

export type LiveViewer = {
  socket: WebSocket;
  messages: LiveSocketMessage[];
  of: <Kind extends LiveSocketMessage['kind']>(kind: Kind) => Extract<LiveSocketMessage, { kind: Kind }>[];
  /** Binary messages in their order. */
  media: Buffer[];
  /** When the last message came, of the monotonic clock. */
  lastMs: () => number;
  closed: Promise<number>;
};

/** A viewer of the live socket who says `hello`, or what a test wants them to say instead. */
export async function liveViewer(
  address: string,
  hello: unknown,
  headers: Record<string, string> = {},
  query = '',
): Promise<LiveViewer> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}${LIVE_SOCKET_PATH}${query}`, { headers });
  const messages: LiveSocketMessage[] = [];
  const media: Buffer[] = [];
  let lastMs = 0;
  socket.on('message', (bytes: Buffer, isBinary: boolean) => {
    lastMs = performance.now();
    if (isBinary) media.push(bytes);
    else messages.push(liveSocketMessage.parse(JSON.parse(bytes.toString())));
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  if (hello !== null) socket.send(typeof hello === 'string' ? hello : JSON.stringify(hello));
  const of = <Kind extends LiveSocketMessage['kind']>(kind: Kind) =>
    messages.filter((message): message is Extract<LiveSocketMessage, { kind: Kind }> => message.kind === kind);
  return { socket, messages, of, media, lastMs: () => lastMs, closed };
}

export async function ticketOf(server: Pick<TestServer, 'asUser'>, name: Subject): Promise<string> {
  const answer = await server.asUser(name).inject({ method: 'POST', url: '/api/tickets' });
  return (answer.json() as { ticket: string }).ticket;
}
