import { CutShort, NotStored, type Storage } from '../storage/storage.ts';
import type { Changed } from '../ws/outgoing.ts';
import { isDiskAway } from './away.ts';
import type { FoundFault, StoredFile, StoredFiles, StoredRef } from './stored-files.ts';

/**
 * Returns a fault that is visible without reading the file: it is missing, or its length differs from the stored one.
 * Null if there is none.
 */
export async function lengthFault(
  storage: Pick<Storage, 'stat'>,
  { storageKey, sizeBytes }: Pick<StoredFile, 'storageKey' | 'sizeBytes'>,
): Promise<FoundFault | null> {
  const found = await storage.stat(storageKey);
  if (found === null) return { fault: 'missing', foundBytes: null };
  return found.sizeBytes === sizeBytes ? null : { fault: 'size', foundBytes: found.sizeBytes };
}

/** Whether an error says that the disk failed to return stored bytes. */
export const isMediumError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EIO', 'ENXIO', 'EUCLEAN', 'EBADMSG'].includes(String(error.code));

export type DamageNotesDeps = {
  stored: Pick<StoredFiles, 'read' | 'damaged'>;
  storage: Pick<Storage, 'stat' | 'hasFolder'>;
  changed: Changed;
  log: { error: (fields: object, text: string) => void; warn: (fields: object, text: string) => void };
};

export type NoteDamage = (item: StoredRef, error: unknown) => void;

/** Marks files that a reader could not read completely, without delaying the reader. */
export function damageNotes({ stored, storage, changed, log }: DamageNotesDeps): NoteDamage {
  /** Ids of files being checked, since a player repeats failed requests many times. */
  const looking = new Set<string>();

  async function inspect(ref: StoredRef, error: unknown): Promise<void> {
    const item = await stored.read(ref);
    if (item === null) return;
    const unreadable = isMediumError(error) ? { fault: 'unreadable' as const, foundBytes: null } : null;
    const found = (await lengthFault(storage, item)) ?? unreadable;
    if (found === null || item.fault === found.fault) return;
    if (found.fault === 'missing' && (await isDiskAway(storage))) return;
    if (!(await stored.damaged(item, found))) return;
    log.error({ item: item.id, key: item.storageKey, fault: found.fault }, 'a stored file is damaged');
    changed(item.missionId === null ? 'documents' : 'missions', [item.missionId ?? item.id]);
  }

  return (item, error) => {
    const isDamage = error instanceof CutShort || error instanceof NotStored || isMediumError(error);
    if (!isDamage || looking.has(item.id)) return;
    looking.add(item.id);
    inspect(item, error)
      .catch((failure) => log.warn({ error: failure, item: item.id }, 'a damaged file could not be marked'))
      .finally(() => looking.delete(item.id));
  };
}
