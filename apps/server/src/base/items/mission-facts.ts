import type { AccessFacts } from '@osprey/contract';
import { asSystem, type Db, type SystemReason } from '../access/as-system.ts';
import { items } from './product.ts';

/** Facts of a mission that rights depend on, and the fields that its events need. */
export type MissionFacts = AccessFacts & { id: string; name: string; epoch: number };

/** The facts of one mission that is not in the bin, for `authorize`; null where there is none. */
export const missionFacts = (db: Db, missionId: string, reason: SystemReason): Promise<MissionFacts | null> =>
  items.factsOf('mission', asSystem(db, reason), missionId);
