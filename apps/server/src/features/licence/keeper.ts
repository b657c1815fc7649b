import { type Licence, type LicenceDeps, readLicence } from './licence.ts';

/** An expiry or a key that was taken away is noticed within this time. */
const CHECK_MS = 5000;

export type LicenceKeeper = {
  /** As it was read last, at most five seconds ago. */
  current: () => Licence;
  /** Reads it again, and notifies when it changed. */
  refresh: () => Promise<void>;
  /** Called whenever what `current` answers is another one. */
  onChange: (changed: () => void) => void;
  close: () => void;
};

export type KeeperDeps = LicenceDeps & {
  /** Valid before, not any more. */
  onExpired: () => void;
  onChanged: () => void;
  log: { warn: (fields: object, text: string) => void };
};

/** Keeps the licence in memory and current, so that no question about it needs a query. */
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
