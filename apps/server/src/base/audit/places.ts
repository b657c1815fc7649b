import { join } from 'node:path';

/** Where the audit keeps what must not lie in the database: its keys, and the checkpoints signed with them. */
export const auditPlaces = (dataDir: string) => ({
  keys: join(dataDir, 'keys', 'audit'),
  checkpoints: join(dataDir, 'audit', 'checkpoints.ndjson'),
});
