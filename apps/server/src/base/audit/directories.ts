import { join } from 'node:path';

/** Folders of the audit's keys and signed checkpoints, which must not be in the database. */
export const auditDirectories = (dataDir: string) => ({
  keys: join(dataDir, 'keys', 'audit'),
  checkpoints: join(dataDir, 'audit', 'checkpoints.ndjson'),
});
