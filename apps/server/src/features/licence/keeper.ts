import { type Licence, type LicenceDeps, readLicence } from './licence.ts';

/** Interval at which the licence is checked for expiry or removed keys, in milliseconds. */
const CHECK_MS = 5000;

export type LicenceKeeper = {
  /** The licence as last read, at most five seconds ago. */
  current: () => Licence;
  /** Reads the licence again, and notifies the listeners if it has changed. */
  refresh: () => Promise<void>;
  /** Registers a function that is called whenever the result of `current` changes. */
  onChange: (changed: () => void) => void;
  close: () => void;
};

export type KeeperDeps = LicenceDeps & {
  /** Called when a valid licence becomes invalid. */
  onExpired: () => void;
  onChanged: () => void;
  log: { warn: (fields: object, text: string) => void };
};

/** Keeps the current licence in memory, so that reading it needs no query. */
export async function licenceKeeper(deps: KeeperDeps): Promise<LicenceKeeper> {
  let existing = await readLicence(deps);
  const listeners: (() => void)[] = [deps.onChanged];

  async function refresh(): Promise<void> {
    const before = existing;
    existing = await readLicence(deps);
    const isSame = before.message === existing.message && before.payload?.id === existing.payload?.id;
    if (isSame && before.logo?.version === existing.logo?.version) return;
    if (before.valid && !existing.valid) deps.onExpired();
    for (const changed of listeners) changed();
  }

  const timer = setInterval(() => {
    refresh().catch((error) => deps.log.warn({ error }, 'the licence could not be read'));
  }, CHECK_MS);
  timer.unref();
  return {
    current: () => existing,
    refresh,
    onChange: (changed) => void listeners.push(changed),
    close: () => clearInterval(timer),
  };
}
