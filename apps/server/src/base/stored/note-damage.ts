import { CutShort, NotStored, type Storage } from '../storage/storage.ts';
import type { Changed } from '../ws/outgoing.ts';
import { isDiskAway } from './away.ts';
import type { FoundFault, StoredFile, StoredFiles, StoredRef } from './stored-files.ts';

/** Fault that the file system shows without reading: gone, or of another length than was stored. Null if neither. */
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
  /** A player asks again and again for what it does not get. */
  const looking = new Set<string>();

  async function look(ref: StoredRef, error: unknown): Promise<void> {
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
    look(item, error)
      .catch((failure) => log.warn({ error: failure, item: item.id }, 'a damaged file could not be marked'))
      .finally(() => looking.delete(item.id));
  };
}
