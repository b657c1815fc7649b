import { existsSync } from 'node:fs';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { emptyDatabaseAt } from '../../test/database.ts';
import { dataFolder, runToEnd, startServer } from '../../test/running-server.ts';
import { readConfig } from '../base/config/config.ts';
import { reachDatabase } from './reach-database.ts';

// Whole servers are started here, several of them one after the other.
vi.setConfig({ testTimeout: 120_000 });

const password = 'correct horse battery';

/** A recording of last year, whose rows are in a database elsewhere. */
async function folderWithRecording() {
  const dataDir = await dataFolder();
  const folder = join(dataDir, 'files', 'originals', crypto.randomUUID());
  const recording = join(folder, `${crypto.randomUUID()}.ts`);
  await mkdir(folder, { recursive: true });
  await writeFile(recording, new Uint8Array(188));
  const lastYear = Date.now() / 1000 - 365 * 86_400;
  await utimes(recording, lastYear, lastYear);
  return { dataDir, recording };
}

describe('a server whose database is not that of its recordings', () => {
  it('does not start, leaves everything as it was, and says what to do; the code it prints joins the two', {
    tags: 'long',
  }, async () => {
    const { dataDir, recording } = await folderWithRecording();
    const env = { OSPREY_DATA: dataDir, OSPREY_PORT: '0', OSPREY_ADMIN_PASSWORD: password };

    const refused = await runToEnd([], env);

    expect(refused.code).toBe(1);
    expect(refused.output).toContain(
      `The data folder ${dataDir} and the database in ${dataDir}/postgres do not belong`,
    );
    expect(refused.output).toContain('OSPREY_DATABASE_DIR to two that do');
    expect(await readdir(dataDir)).not.toContain('postgres');
    expect((await stat(recording)).size).toBe(188);

    const code = /OSPREY_ADOPT=([0-9a-f]{8})/.exec(refused.output)?.[1] ?? '';
    const joined = await startServer(dataDir, { ...env, OSPREY_ADOPT: code });
    expect((await joined.stop()).code).toBe(0);
    const again = await startServer(dataDir);
    expect((await again.stop()).code).toBe(0);
    expect((await stat(recording)).size).toBe(188);
  });

  it('does not start with one elsewhere that is empty either, and a command makes none in the data folder', async () => {
    const { dataDir, recording } = await folderWithRecording();
    const { url } = await emptyDatabaseAt();

    const refused = await runToEnd([], { OSPREY_DATA: dataDir, OSPREY_PORT: '0', OSPREY_DATABASE_URL: url });

    const { host, pathname, password: secret } = new URL(url);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`the database ${pathname.slice(1)} on ${host} do not belong together`);
    expect(refused.output).not.toContain(secret);
    await expect(reachDatabase({ ...readConfig({}), dataDir })).rejects.toThrow('do not belong together');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(existsSync(recording)).toBe(true);
  });
});
