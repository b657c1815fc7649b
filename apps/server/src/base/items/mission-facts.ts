import type { AccessFacts } from '@osprey/contract';
import { asSystem, type Db, type SystemReason } from '../access/as-system.ts';
import { items } from './product.ts';

/** Facts of a mission that rights depend on, and the fields that its events need. */
export type MissionFacts = AccessFacts & { id: string; name: string; epoch: number };

/** Reads the facts of a mission outside the bin, for `authorize`; null if there is none. */
export const missionFacts = (db: Db, missionId: string, reason: SystemReason): Promise<MissionFacts | null> =>
  items.factsOf('mission', asSystem(db, reason), missionId);
