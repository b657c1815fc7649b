import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { indexFolder } from '../index/file-index.ts';
import { forgetCoverage } from './coverage.ts';

/**
 * Key of a marker next to the index of a file, present until the index was made again. The old index is used meanwhile.
 */
const markOf = (sensorId: string, fileId: string): string => `${indexFolder(sensorId)}/${fileId}.again`;

export const isToReadAgain = async (storage: Storage, sensorId: string, fileId: string): Promise<boolean> =>
  (await storage.stat(markOf(sensorId, fileId))) !== null;

export const wasReadAgain = (storage: Storage, sensorId: string, fileId: string): Promise<void> =>
  storage.remove(markOf(sensorId, fileId));

export type ReadAgainDeps = {
  db: Kysely<Database>;
  storage: Storage;
  queue: Pick<JobQueue, 'enqueue'>;
  say: (line: string) => void;
};

export const reindexCommandHelp = `npm run reindex -- <mission> [mission ...]     reads recordings again, as this version of Osprey does
npm run reindex -- --all                       those of all missions
npm run reindex -- coverage                    makes again when every place was seen, of all missions

A mission is given by its name or its id. Everything can be watched meanwhile: a recording shows what was known of it until
it has been read, also where it cannot be read any more. The running server does the work, behind all else that waits; one
that does not run does it when it is started. What is being recorded, and what lies in the bin, is left out.
`;

/** Thrown for an invalid argument; the message lists the allowed ones. */
export class ReindexCommandError extends Error {
  override name = 'ReindexCommandError';
}

/** Runs the command with which operators have recordings read again, after an update that reads them better. */
export async function runReindexCommand(deps: ReadAgainDeps, args: readonly string[]): Promise<void> {
  if (args.length === 1 && args[0] === 'coverage') {
    await forgetCoverage(deps.db);
    deps.say('When every place was seen is made again by the running server, the newest recordings first.');
    return;
  }
  const isAll = args.includes('--all');
  const wrong = args.find((arg) => arg.startsWith('--') && arg !== '--all');
  if (wrong !== undefined) throw new ReindexCommandError(`Unknown option ${wrong}. See npm run reindex -- --help.`);
  if (isAll && args.length > 1) throw new ReindexCommandError('Either --all or missions, not both.');
  const found = new Map<string, SensorRow>();
  for (const requested of isAll ? [null] : args) {
    const sensors = await sensorsOf(deps.db, requested);
    if (sensors.length === 0 && requested !== null)
      throw new ReindexCommandError(`There is no mission ${requested} with recordings to read.`);
    for (const sensor of sensors) found.set(sensor.id, sensor);
  }
  for (const sensor of found.values()) await order(deps, sensor);
  const missions = new Set([...found.values()].map(({ missionId }) => missionId)).size;
  deps.say(found.size === 0 ? 'There are no recordings.' : `${counted(found.size, missions)}: see Activity.`);
}

const counted = (sensors: number, missions: number): string =>
  `${sensors === 1 ? 'One sensor' : `${sensors} sensors`} of ${missions === 1 ? 'one mission' : `${missions} missions`} will be read again`;

type SensorRow = { id: string; missionId: string };

/**
 * Returns the sensors of the missions with the name or id `requested` (names are not unique), or of all missions if
 * null.
 */
async function sensorsOf(db: Kysely<Database>, requested: string | null): Promise<SensorRow[]> {
  let query = asSystem(db, 'ingest')
    .selectFrom('sensors')
    .innerJoin('missions', 'missions.id', 'sensors.mission_id')
    .where('missions.deleted_time', 'is', null)
    .where('sensors.state', 'in', ['Ready', 'Processing', 'Stopped'])
    .select(['sensors.id', 'missions.id as missionId'])
    .orderBy('missions.start_time', 'desc');
  if (requested !== null) {
    query = query.where((eb) =>
      eb.or([eb('missions.name', '=', requested), eb(eb.cast<string>('missions.id', 'text'), '=', requested)]),
    );
  }
  return query.execute();
}

async function order({ db, storage, queue }: ReadAgainDeps, { id, missionId }: SensorRow): Promise<void> {
  const files = await asSystem(db, 'ingest')
    .selectFrom('files')
    .select('id')
    .where('sensor_id', '=', id)
    .where('kind', 'in', ['ts', 'mp4', 'mkv', 'sidecar'])
    .execute();
  for (const file of files) await storage.put(markOf(id, file.id), [new Uint8Array()]);
  await queue.enqueue(db, 'ingest', { missionId, sensorId: id }, 'last');
}
