import type { MissionUpdate } from '@osprey/contract';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { FileFailed } from '../../base/ws/outgoing.ts';
import type { ReadAisFiles } from './ais-files.ts';
import type { ContainerDeps } from './container-file.ts';
import type { LabelDeps } from './label.ts';

export type FileRow = Selectable<Database['files']>;

export type IngestDeps = LabelDeps & {
  db: Kysely<Database>;
  storage: Storage;
  ffmpeg: ContainerDeps['ffmpeg'];
  /** Free bytes that renditions must leave on the disk; null for the usual reserve of the storage. */
  reserveBytes: number | null;
  log: ContainerDeps['log'];
  queue: Pick<JobQueue, 'enqueue'>;
  flow: (update: MissionUpdate) => void;
  fileFailed: FileFailed;
  nowUs: () => number;
  /** Reads ships from AIS files. */
  readAis: ReadAisFiles;
};
