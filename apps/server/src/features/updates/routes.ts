import { AppError, getUpdates, update } from '@osprey/contract';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { PackageRefused } from './manifest.ts';
import type { UpdatePackages } from './packages.ts';
import type { UpdateRun } from './run.ts';

export type UpdateDeps = Http & {
  /** Null if this site has no source of updates. */
  packages: UpdatePackages | null;
  run: UpdateRun;
  installed: string;
  /** True if a parent process can switch to another release. */
  canSwitch: boolean;
  /** Audit of the server itself, for rows written after the request. */
  ownAudit: Pick<RequestAudit, 'write'>;
};

/** Routes of the site's update packages, and of installing one. */
export function updateRoutes({ packages, run, installed, canSwitch, ownAudit, ...http }: UpdateDeps): void {
  let isChecking = false;

  callRoute(http, getUpdates, async () => ({
    installed,
    isSet: packages !== null,
    ...((await packages?.list()) ?? { problem: null, packages: [] }),
    running: run.running(),
    last: await run.last(),
  }));

  callRoute(http, update, async ({ input: { query }, audit }) => {
    if (packages === null) throw new AppError('notFound');
    if (isChecking || run.running() !== null)
      throw new AppError('ruleRefused', { reason: 'An update is running already.' });
    isChecking = true;
    const { version } = query;
    const about = `${installed} to ${version}`;
    try {
      const found = await packages.check(version);
      if (!canSwitch) throw new AppError('unavailable');
      await audit.write({ action: 'server.update', result: about });
      run.start(found, ownAudit);
    } catch (error) {
      if (!(error instanceof PackageRefused)) throw error;
      await audit.write({ action: 'server.update', decision: 'refused', result: about, reason: error.message });
      throw new AppError('ruleRefused', { reason: error.message });
    } finally {
      isChecking = false;
    }
    return { message: `Server will be updated from version ${installed} to ${version}.` };
  });
}
