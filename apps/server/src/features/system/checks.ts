import { spawn } from 'node:child_process';
import type { healthCheck } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { canRewriteAudit, durabilityFaults } from '../../base/db/app-role.ts';
import type { Database } from '../../base/db/schema.ts';
import { type FilesFound, readSetting } from '../../base/db/settings.ts';
import { NAMED } from '../../base/stored/report-damage.ts';
import type { StoredFiles } from '../../base/stored/stored-files.ts';

/** `vital`: if this check fails, the server counts as down. */
export type CheckResult = z.output<typeof healthCheck> & { vital?: boolean };
export type HealthCheck = () => Promise<CheckResult>;

const DATABASE_MS = 2000;

export function databaseCheck(db: Kysely<Database>): HealthCheck {
  return async () => {
    const name = 'database';
    const answered = sql`select 1`.execute(db).then(() => true);
    const late = new Promise<false>((resolve) => setTimeout(resolve, DATABASE_MS, false).unref());
    const isThere = await Promise.race([answered, late]).catch(() => false);
    if (!isThere) return { name, state: 'failed', vital: true, text: 'The database does not answer.' };
    const faults = await durabilityFaults(db);
    if (faults.length === 0) return { name, state: 'ok', vital: true, text: 'The database answers.' };
    const text = `The database may lose what was saved at a power cut: ${faults.join(', ')} is off.`;
    return { name, state: 'warning', vital: true, text };
  };
}

/**
 * Health check of the audit log. `missingTail` returns a sentence if checkpoints prove that the last rows are missing,
 * else null.
 */
export function auditCheck(db: Kysely<Database>, missingTail: () => Promise<string | null>): HealthCheck {
  return async () => {
    const name = 'audit';
    const looks = Promise.all([canRewriteAudit(db), missingTail()]);
    const [mayRewrite, missing] = await looks.catch(() => [null, null] as const);
    if (missing !== null) return { name, state: 'failed', text: missing };
    if (mayRewrite === null) return { name, state: 'failed', text: 'The audit cannot be read.' };
    if (!mayRewrite) return { name, state: 'ok', text: 'Append-only.' };
    const text = 'The database has one role for everything, so the audit rests on its chain of hashes alone.';
    return { name, state: 'warning', text };
  };
}

/** Health check of backups: whether the recordings would survive the loss of this machine. */
export function backupCheck(
  facts: () => Promise<{ count: number; warning: string | null; lastVerified: number | null }>,
): HealthCheck {
  return async () => {
    const found = await facts().catch(() => null);
    if (found === null)
      return { name: 'backups', state: 'warning', text: 'The folder of the backups does not answer.' };
    const { count, warning, lastVerified } = found;
    if (warning !== null) return { name: 'backups', state: 'warning', text: warning };
    // Only a backup that was verified by reading it again counts as good.
    if (lastVerified === null) {
      const text = count === 0 ? 'There is no backup yet.' : 'No backup has been verified yet.';
      return { name: 'backups', state: 'warning', text };
    }
    const when = new Date(lastVerified / 1000).toISOString().slice(0, 16);
    return { name: 'backups', state: 'ok', text: `A backup was last verified on ${when}Z.` };
  };
}

/**
 * Health check of the isolation of decoders, as determined by the worker by starting one, since an installed bwrap may
 * lack the permission to isolate.
 */
export function decoderCheck(db: Kysely<Database>): HealthCheck {
  return async () => {
    const name = 'ffmpeg.isolated';
    const decoders = await readSetting(db, 'decoders').catch(() => null);
    if (decoders === null) return { name, state: 'warning', text: 'The worker has not said yet how it runs decoders.' };
    if (decoders.isolated) return { name, state: 'ok', text: 'Decoders run isolated, without network and disk.' };
    const text =
      'Decoders are not isolated, they only have their limits: install bubblewrap, allow user namespaces, and restart.';
    return { name, state: 'warning', text };
  };
}

/** Health check of stored files: the worker's last comparison of rows and files, and files missing now. */
export function filesCheck(db: Kysely<Database>, stored: Pick<StoredFiles, 'open' | 'read'>): HealthCheck {
  return async () => {
    const name = 'files';
    const known = await Promise.all([readSetting(db, 'files'), stored.open()]).catch(() => null);
    const [found, open] = known ?? [null, []];
    if (found === null) return { name, state: 'warning', text: 'The worker has not compared rows and files yet.' };
    const { lost, missing, isAway } = found;
    if (isAway) {
      const text = `The disk of recordings and documents is not there, with ${listed(missing)}. Mount it; until then no file counts as lost.`;
      return { name, state: 'failed', text };
    }
    const gone = open.filter(({ fault }) => fault === 'missing');
    if (gone.length > 0) {
      const items = await Promise.all(gone.slice(0, NAMED).map((ref) => stored.read(ref)));
      const first = items.flatMap((item) => item?.storageKey ?? []);
      const text = `Not in the storage: ${listed({ files: gone.length, first })}. Restore them or accept their loss on the page Backups.`;
      return { name, state: 'failed', text };
    }
    if (lost.files === 0) return { name, state: 'ok', text: 'Every recording and document has its file.' };
    const size = `${(lost.bytes / 1e9).toFixed(1)} GB`;
    const text = `${lost.files} files (${size}) belong to nothing in the database. They lie in files/lost of the data folder until somebody removes them.`;
    return { name, state: 'warning', text };
  };
}

function listed({ files, first }: FilesFound['missing']): string {
  const count = files === 1 ? 'one file' : `${files} files`;
  return `${count} of recordings and documents, ${files > first.length ? 'the first ' : ''}${first.join(', ')}`;
}

/** Health check of a program. It is searched for only once, since programs come with the installation. */
export function programCheck(program: string, ok: string, missing: string): HealthCheck {
  const found = isProgramThere(program);
  return async () =>
    (await found) ? { name: program, state: 'ok', text: ok } : { name: program, state: 'warning', text: missing };
}

export function isProgramThere(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', `command -v "$0"`, program], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
