import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { job, mission, sensor } from '@osprey/contract';
import { testData } from '../../../tools/test-support/test-data.ts';
import { childrenOf, roleOf } from './processes.ts';
import { type RunAs, type RunningServer, startServer } from './running-server.ts';
import { basicOf } from './server.ts';

const PASSWORD = 'correct horse battery';
/** Header of the account that `startWithAdmin` makes. */
export const authorization = basicOf('admin', PASSWORD);
const tus = { authorization, 'tus-resumable': '1.0.0' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

export const startWithAdmin = (
  dataDir: string,
  env: Record<string, string> = {},
  runAs: RunAs = {},
): Promise<RunningServer> => startServer(dataDir, { OSPREY_ADMIN_PASSWORD: PASSWORD, ...env }, runAs);

/** The server's processes by their role. */
export function pidsOf({ process: main }: RunningServer): { api: number; worker: number; all: number[] } {
  const children = childrenOf(main.pid ?? 0);
  const pidWith = (requested: string) => children.find((pid) => roleOf(pid) === requested) ?? 0;
  const [api, worker] = [pidWith('api'), pidWith('worker')];
  if (main.pid === undefined || !api || !worker) throw new Error('The processes were not found');
  return { api, worker, all: [main.pid, api, worker] };
}

export type UploadTarget = { missionId: string; sensorId: string };

/** A new mission of everyone with one sensor. */
export async function makeTarget(server: RunningServer, name = `m-${crypto.randomUUID()}`): Promise<UploadTarget> {
  const answer = await fetch(`${server.address}/api/missions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name, audience: 'everyone', securityClassification: 1 }),
  });
  const made = mission.parse(await answer.json());
  return { missionId: made._id, sensorId: made.sensors[0]!._id };
}

async function get(server: RunningServer, path: string): Promise<unknown> {
  return (await fetch(`${server.address}${path}`, { headers: { authorization } })).json();
}

export const sensorOf = async (server: RunningServer, missionId: string) =>
  sensor.array().parse(await get(server, `/api/sensors?missionIdOrName=${missionId}`))[0]!;

export const assetsOf = async (server: RunningServer, missionId: string) => (await sensorOf(server, missionId)).assets;

export const stateOf = async (server: RunningServer, missionId: string): Promise<string> =>
  mission.parse(await get(server, `/api/missions/${missionId}`)).state;

export const missionIds = async (server: RunningServer): Promise<string[]> =>
  mission
    .array()
    .parse(await get(server, '/api/missions/brief'))
    .map(({ _id }) => _id);

export const openJobs = async (server: RunningServer) => job.array().parse(await get(server, '/api/jobs'));

/** Begins a resumable upload; returns where it goes on. */
export async function createUpload(
  server: RunningServer,
  sensorId: string,
  { size, name = 'flight.ts' }: { size: number; name?: string },
): Promise<string> {
  const metadata = `sensorId ${base64(sensorId)},filename ${base64(name)}`;
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata };
  const answer = await fetch(`${server.address}/api/uploads`, { method: 'POST', headers });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`No upload was begun: ${answer.status} ${await answer.text()}`);
  return location;
}

export const patchUpload = (server: RunningServer, location: string, offset: number, body: RequestInit['body']) =>
  fetch(`${server.address}${location}`, {
    method: 'PATCH',
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);

export async function headUpload(server: RunningServer, location: string): Promise<{ status: number; offset: number }> {
  const answer = await fetch(`${server.address}${location}`, { method: 'HEAD', headers: tus });
  return { status: answer.status, offset: Number(answer.headers.get('upload-offset')) };
}

/** Uploads a whole file to a new mission. */
export async function uploadComplete(
  server: RunningServer,
  bytes: Uint8Array,
  name = 'flight.ts',
): Promise<UploadTarget> {
  const target = await makeTarget(server);
  const location = await createUpload(server, target.sensorId, { size: bytes.byteLength, name });
  const sent = await patchUpload(server, location, 0, new Uint8Array(bytes));
  if (sent.status !== 204) throw new Error(`Not uploaded: ${sent.status} ${await sent.text()}`);
  return target;
}

export const recording = () => readFileSync(testData('ts/osh/sample-stream.ts'));

/** Recordings one after the other up to this size, with their hash. */
export function longStream(bytes: number) {
  const one = recording();
  const count = Math.ceil(bytes / one.byteLength);
  const hash = createHash('sha256');
  for (let i = 0; i < count; i++) hash.update(one);
  const pieces = () =>
    (async function* () {
      for (let i = 0; i < count; i++) yield new Uint8Array(one);
    })();
  return { size: count * one.byteLength, sha256: hash.digest('hex'), pieces };
}

export const webStream = (pieces: AsyncIterable<Uint8Array>) => Readable.toWeb(Readable.from(pieces)) as ReadableStream;
