import type { FilesFound } from '../../base/db/settings.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { isDiskAway } from '../../base/stored/away.ts';
import { lengthFault } from '../../base/stored/note-damage.ts';
import { type FoundDamage, NAMED } from '../../base/stored/report-damage.ts';
import type { StoredFiles, StoredRef } from '../../base/stored/stored-files.ts';

/** A row whose file is missing, and the storage key of the file. */
export type MissingFile = StoredRef & { key: string };

export type ComparisonDeps = {
  /** Returns the content of the folder of lost files, and the rows whose file is missing. */
  look: () => Promise<Pick<FilesFound, 'lost'> & { missing: MissingFile[] }>;
  storage: Pick<Storage, 'hasFolder' | 'stat'>;
  stored: StoredFiles;
  state: { read: () => Promise<FilesFound | null>; write: (found: FilesFound) => Promise<void> };
  /** Called when the disk itself is unavailable, with the number of missing files and the first of them. */
  away: (found: FilesFound['missing']) => Promise<void>;
  /** Called with files that have been missing only since the last comparison. */
  missing: (found: readonly FoundDamage[]) => Promise<void>;
  /** Called with items whose files went missing or are available again. */
  changed: (items: readonly { noun: 'files' | 'documents'; itemId: string }[]) => void;
};

/**
 * Compares rows and files. A missing file is marked as damaged, unless the disk itself is unavailable: then no file is
 * lost yet, and only the disk is reported.
 */
export function comparison({ look, storage, stored, state, ...reported }: ComparisonDeps): () => Promise<void> {
  return async () => {
    const before = await state.read();
    const { lost, missing } = await look();
    const isAway = missing.length > 0 && (await isDiskAway(storage));
    const named = { files: missing.length, first: missing.slice(0, NAMED).map(({ key }) => key) };
    await state.write({ lost, missing: named, isAway });
    if (isAway) {
      if (before?.isAway !== true) await reported.away(named);
      return;
    }
    const keys = new Map(missing.map(({ id, key }) => [id, key]));
    const fresh: (FoundDamage & { noun: 'files' | 'documents' })[] = [];
    for (const ref of await stored.missing(missing)) {
      const item = await stored.read(ref);
      const text = `${keys.get(ref.id)}: it is missing`;
      if (item) fresh.push({ noun: ref.noun, id: ref.id, itemId: item.missionId ?? ref.id, text });
    }
    const back: { noun: 'files' | 'documents'; itemId: string }[] = [];
    for await (const item of stored.markedMissing()) {
      if (keys.has(item.id) || (await lengthFault(storage, item)) !== null) continue;
      await stored.back(item);
      back.push({ noun: item.noun, itemId: item.missionId ?? item.id });
    }
    if (fresh.length > 0) await reported.missing(fresh);
    if (fresh.length + back.length > 0) reported.changed([...fresh, ...back]);
  };
}
