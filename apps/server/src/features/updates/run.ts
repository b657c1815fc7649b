import type { RunningUpdate, UpdateResult } from '@osprey/contract';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { installRelease, removeOldReleases } from './install.ts';
import { PackageRefused } from './manifest.ts';
import type { CheckedPackage } from './packages.ts';
import { completeRelease, readPointer, writePointer } from './pointer.ts';

export type UpdateRunDeps = {
  dataDir: string;
  /** Version that is running. */
  installed: string;
  /** Backs up the database rows. */
  backUp: () => Promise<void>;
  /** Stops this server so that it starts with the release named by the pointer. */
  switchRelease: () => void;
  nowUs: () => number;
  log: { error: (fields: object, text: string) => void };
};

export type UpdateRun = {
  running: () => RunningUpdate | null;
  /** Returns the result of the last update; null if there was none. */
  last: () => Promise<UpdateResult | null>;
  /** Returns whether the running version is still on trial. */
  isOnTrial: () => Promise<boolean>;
  /** Starts an update in the background; the caller can respond before the server stops. */
  start: (found: CheckedPackage, audit: Pick<RequestAudit, 'write'>) => void;
};

/** Installs a release next to the running one, and starts it. Only one update runs at a time. */
export function updateRun({ dataDir, installed, backUp, switchRelease, nowUs, log }: UpdateRunDeps): UpdateRun {
  let running: RunningUpdate | null = null;
  let failed: UpdateResult | null = null;

  async function update(found: CheckedPackage): Promise<void> {
    const { version } = found.manifest;
    const step = (name: RunningUpdate['step'], progress: number | null) => {
      running = { from: installed, version, step: name, progress };
    };
    step('unpacking', 0);
    await installRelease({ ...found, dataDir, progress: (percent) => step('unpacking', Math.floor(percent)) });
    await removeOldReleases(dataDir, installed);
    step('backup', null);
    const startedUs = nowUs();
    await backUp();
    step('restarting', null);
    const before = await readPointer(dataDir).catch(() => null);
    const previous = (await completeRelease(dataDir, installed)) === null ? null : installed;
    await writePointer(dataDir, {
      format: 1,
      version,
      trial: { from: installed, previous, startedUs, starts: 0 },
      restoreFromUs: null,
      last: before?.last ?? null,
    });
    switchRelease();
  }

  return {
    running: () => running,

    async last() {
      const known = (await readPointer(dataDir).catch(() => null))?.last ?? null;
      return failed !== null && failed.time > (known?.time ?? 0) ? failed : known;
    },

    async isOnTrial() {
      const pointer = await readPointer(dataDir).catch(() => null);
      return pointer?.version === installed && pointer.trial !== null;
    },

    start(found, audit) {
      failed = null;
      running = { from: installed, version: found.manifest.version, step: 'unpacking', progress: 0 };
      update(found).catch(async (error) => {
        const { version } = found.manifest;
        const reason = error instanceof PackageRefused ? error.message : `It failed: ${(error as Error).message}.`;
        failed = { from: installed, version, result: 'failed', reason, time: nowUs(), restored: null };
        running = null;
        log.error({ error, version }, 'the update failed');
        await audit.write({ action: 'server.updateFailed', result: `${installed} to ${version}`, reason });
      });
    },
  };
}
