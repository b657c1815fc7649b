import type { AisEvent } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../../base/db/schema.ts';
import type { Storage } from '../../../base/storage/storage.ts';
import type { RecorderMirror } from '../../../live/rows/mirror.ts';
import type { Batch } from '../batch.ts';

export type AisIngestDeps = {
  db: Kysely<Database>;
  /** Storage in `OSPREY_DATA/live`. */
  storage: Storage;
  mirror: Pick<RecorderMirror, 'subscribe' | 'recordings'>;
  /** Called with each batch of a source, to update maps. */
  onBatch: (sourceId: number, batch: Batch) => void;
  notify: (event: AisEvent) => void;
  nowUs: () => number;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};
