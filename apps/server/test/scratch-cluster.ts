import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { copyCluster } from '../../../tools/test-support/copy-cluster.ts';
import { databaseRoot } from '../../../tools/test-support/memory-folder.ts';

/** Where a cluster may be that is used for a moment. */
export const clusterFolder = (name: string): string => join(databaseRoot(), `osprey-${name}-${process.pid}`);

/** Puts a cluster where one is about to be made, unless one is there: its making is most of what a short use takes. */
export async function layCluster(folder: string): Promise<void> {
  if (!existsSync(folder)) await copyCluster(inject('readyCluster').folder, folder);
}
