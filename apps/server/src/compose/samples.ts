import { emptySensors, sampleNamed } from '../features/missions/samples.ts';
import { sampleFlights } from '../features/samples/flights.ts';
import { samples } from '../features/samples/samples.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';

type Options = { dependencies: Dependencies } & Pick<Recordings, 'missionChanges'>;

export function openSamples({ dependencies, missionChanges }: Options) {
  const { db, storage, queue, events, nowUs, config, log } = dependencies;
  const made = samples({
    db,
    storage,
    queue,
    changed: events.changed,
    flow: events.flow,
    nowUs,
    log,
    sampleNamed: (name) => sampleNamed(db, name),
    emptySensors: (missionId) => emptySensors(db, missionId),
    createSample: (actor, requested) => missionChanges.create(actor, requested, { sample: true }),
    flights: sampleFlights(config.sampleSeconds),
  });
  return {
    samples: {
      /** Begins to make the sample missions, in the name of this user or of a superAdmin. */
      async make(userId?: string): Promise<void> {
        const maker = userId ?? (await firstSuperAdmin(dependencies));
        if (maker !== undefined) made.make(maker);
      },
      close: made.close,
    },
  };
}

export type Samples = ReturnType<typeof openSamples>;

async function firstSuperAdmin({ db }: Dependencies): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superAdmin')
    .where('disabled', '=', false)
    .orderBy('registered')
    .executeTakeFirst();
  return row?.id;
}

/** Stops the creation of sample missions when the process ends. */
export const serveSamples = ({ samples }: Samples): { close: () => Promise<void> } => ({ close: samples.close });
