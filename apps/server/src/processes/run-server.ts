import { PRODUCT_VERSION } from '@osprey/contract';
import type { Config } from '../base/config/config.ts';
import { pointedRelease } from '../features/updates/pointer.ts';
import { lockDataFolder } from './data-lock.ts';
import { endForSwitch, type Launcher, launcherOf } from './launched.ts';
import { runRelease } from './run-release.ts';

/** Time for the release of a killed launcher to exit, in milliseconds. */
const LOCK_MS = 15_000;
const POLL_MS = 200;

const warn = (line: string) => void process.stderr.write(`${line}\n`);

/** Runs the release named by the pointer, or else this version; after an update, runs the next release. */
export async function runServer(config: Readonly<Config>, script: string, args: readonly string[]): Promise<void> {
  const launcher = launcherOf(process.env);
  if (launcher !== null) {
    await runSupervised(config, script, launcher);
    return endForSwitch();
  }
  for (;;) {
    const found = await pointedRelease(config.dataDir, PRODUCT_VERSION, warn);
    if (found === null) {
      await runSupervised(config, script, null);
    } else {
      const unlock = await lockPatiently(config.dataDir);
      await runRelease({ ...found, dataDir: config.dataDir, args, warn });
      await unlock();
    }
  }
}

/** Loads the supervisor only here, so that the launcher of a release does not load it. */
async function runSupervised(config: Readonly<Config>, script: string, launcher: Launcher | null): Promise<void> {
  const { supervise } = await import('./supervisor.ts');
  await supervise(config, script, launcher);
}

async function lockPatiently(dataDir: string): Promise<() => Promise<void>> {
  const untilMs = performance.now() + LOCK_MS;
  for (;;) {
    try {
      return await lockDataFolder(dataDir);
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
