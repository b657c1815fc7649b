import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Actor, DEMO_GROUP, type NewMission, newMission } from '@osprey/contract';
import type { SimulationOptions } from '@osprey/simulator';
import type { Kysely } from 'kysely';
import { actorsById } from '../../base/access/actors.ts';
import type { Database } from '../../base/db/schema.ts';
import { type AcceptDeps, acceptFiles } from '../../uploads/accept.ts';
import { takeLocalFile } from '../../uploads/local-file.ts';
import { targetBySensor } from '../../uploads/target.ts';
import type { SampleFlight } from './flights.ts';

export type SampleDeps = AcceptDeps & {
  db: Kysely<Database>;
  /** Creates a mission for an actor, marked as a sample; returns its id. */
  createSample: (actor: Actor, requested: NewMission) => Promise<string>;
  /** Finds the sample mission with this name, in the bin or not. */
  sampleNamed: (name: string) => Promise<{ id: string; isDeleted: boolean } | null>;
  /** Returns the sensors of a mission that have no file, in their order. */
  emptySensors: (missionId: string) => Promise<{ id: string; name: string }[]>;
  log: { info: (fields: object, text: string) => void; warn: (fields: object, text: string) => void };
  /** Records a flight into a file; by default in a separate process. */
  fly?: (options: SimulationOptions, path: string, signal: AbortSignal) => Promise<void>;
  flights: readonly SampleFlight[];
};

/** Number of simulated ships around a flight, in addition to those in view of its camera. */
const LANES = 40;

/**
 * Creates the sample missions with the flight simulator, and uploads their files like those of users. Work interrupted
 * by a restart is resumed; samples that a user deleted are not created again.
 */
export function samples(deps: SampleDeps) {
  const { db, changed, flights, fly = flyInProcess } = deps;
  const stop = new AbortController();
  let working: Promise<void> | null = null;

  async function makeAll(userId: string): Promise<void> {
    const actor = (await actorsById(db, [userId])).get(userId)?.actor;
    if (actor === undefined) return;
    for (const flight of flights) {
      const id = await missionOf(actor, flight);
      if (id === null) continue;
      for (const sensor of await deps.emptySensors(id)) {
        const requested = flight.sensors.find(({ name }) => name === sensor.name);
        if (requested) await record(actor, sensor.id, requested);
      }
    }
  }

  /** Returns the mission of a flight, creating it if it never existed; null if it was deleted. */
  async function missionOf(actor: Actor, { mission, sensors }: SampleFlight): Promise<string | null> {
    const known = await deps.sampleNamed(mission.name);
    if (known) return known.isDeleted ? null : known.id;
    const demo = await db.selectFrom('usergroups').select('id').where('name', '=', DEMO_GROUP).executeTakeFirst();
    const requested = newMission.parse({
      ...mission,
      securityClassification: 'UNCLASSIFIED',
      usergroups: demo ? [demo.id] : [],
      sensors: sensors.map(({ name, description, type = 'video' }) => ({ name, description, type })),
    });
    const id = await deps.createSample(actor, requested);
    changed('missions', [id]);
    return id;
  }

  /** Simulates a flight, then processes its file in the same steps as an upload. */
  async function record(
    actor: Actor,
    sensorId: string,
    { name, type, options }: SampleFlight['sensors'][number],
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'osprey-sample-'));
    try {
      const ending = type === 'ais' ? 'nmea' : 'ts';
      const path = join(folder, `flight.${ending}`);
      if (type === 'ais') await sail(options, path);
      else await fly(options, path, stop.signal);
      const target = await targetBySensor(db, actor, sensorId);
      const file = { id: randomUUID(), name: `${name.replaceAll('/', '-')}.${ending}`, path, modifiedMs: null };
      await acceptFiles(deps, target, [await takeLocalFile(deps, file)], actor.id);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    /** Starts the work in the background; does nothing if it is already running. */
    make(userId: string): void {
      working ??= makeAll(userId)
        .then(() => deps.log.info({}, 'sample missions made'))
        .catch((error) => {
          if (!stop.signal.aborted) deps.log.warn({ error }, 'sample missions could not be made');
        })
        .finally(() => {
          working = null;
        });
    },
    /** Resolves when no work is running any more. */
    settled: () => working ?? Promise.resolve(),
    async close(): Promise<void> {
      stop.abort(new Error('The server stops'));
      await working;
    },
  };
}

/**
 * Writes the simulated ship traffic to a file. The simulator is imported dynamically, since an installation creates its
 * samples only once.
 */
async function sail(options: SimulationOptions, path: string): Promise<void> {
  const { recordTraffic } = await import('@osprey/simulator');
  await recordTraffic({ to: path, settings: { lanes: LANES } }, options);
}

function flyInProcess(options: SimulationOptions, path: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'fly.ts'), [path, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
    const abort = () => child.kill('SIGTERM');
    signal.addEventListener('abort', abort);
    let output = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      output = (output + bytes.toString()).slice(-2000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', abort);
      if (code === 0) resolve();
      else reject(new Error(`The flight simulator ended with ${code}: ${output}`));
    });
  });
}
