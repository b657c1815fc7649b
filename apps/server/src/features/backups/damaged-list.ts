import { type Actor, classificationOf, type DamagedItem, damagedKinds } from '@osprey/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { visibleFiles, visibleFilesInBin } from '../../base/items/sensors.ts';
import { documentsInBin, visibleDocuments } from '../../base/items/visibility.ts';
import { faultText } from '../../base/stored/damage-sentence.ts';
import type { StoredFile, StoredFiles } from '../../base/stored/stored-files.ts';
import type { BackupRun, BackupRuns } from './runs.ts';

const SHOWN_MAX = 500;

export type DamagedListDeps = {
  db: Kysely<Database>;
  stored: StoredFiles;
  runs: Pick<BackupRuns, 'all'>;
  /** Whether the backups contain the undamaged content. */
  isHeld: (item: StoredFile) => Promise<boolean>;
};

export type DamagedList = ReturnType<typeof damagedList>;

/** Damaged files for people, each with its name if the reader may read it. */
export function damagedList({ db, stored, runs, isHeld }: DamagedListDeps) {
  /** Includes files of missions in the bin, since these may be restored. */
  async function recordings(actor: Actor, id: string | null): Promise<Row[]> {
    const found = await Promise.all(
      [visibleFiles(db, actor), visibleFilesInBin(db, actor)].map((files) =>
        files
          .innerJoin('stored_checks', 'stored_checks.file_id', 'files.id')
          .where('fault', 'is not', null)
          .where('accepted', 'is', null)
          .$if(id !== null, (query) => query.where('files.id', '=', id ?? ''))
          .select(['files.id', 'files.name', 'files.size_bytes', 'missions.classification'])
          .select(['missions.id as missionId', 'missions.name as missionName', 'sensors.name as sensorName'])
          .select(['fault', 'found_bytes', 'found'])
          .orderBy('found')
          .limit(SHOWN_MAX)
          .execute(),
      ),
    );
    return found.flat();
  }

  async function documents(actor: Actor, id: string | null): Promise<Row[]> {
    const found = await Promise.all(
      [visibleDocuments(db, actor), documentsInBin(db, actor)].map((rows) =>
        rows
          .innerJoin('stored_checks', 'stored_checks.document_id', 'documents.id')
          .where('fault', 'is not', null)
          .where('accepted', 'is', null)
          .$if(id !== null, (query) => query.where('documents.id', '=', id ?? ''))
          .select(['documents.id', 'documents.file_name as name', 'documents.size_bytes', 'classification'])
          .select(['fault', 'found_bytes', 'found'])
          .orderBy('found')
          .limit(SHOWN_MAX)
          .execute(),
      ),
    );
    return found.flat();
  }

  const rowsOf = async (actor: Actor, id: string | null): Promise<Row[]> =>
    [...(await recordings(actor, id)), ...(await documents(actor, id))]
      .sort((a, b) => (a.found ?? 0) - (b.found ?? 0))
      .slice(0, SHOWN_MAX);

  async function describe(row: Row, last: BackupRun | undefined): Promise<DamagedItem> {
    const item = await stored.find(row.id);
    const isOpen = last?.state === 'waiting' || last?.state === 'running';
    return {
      ...toItem(row),
      restorable: item !== null && (await isHeld(item)),
      progress: last && isOpen ? last.progress : null,
      error: last?.state === 'failed' && last.created >= (row.found ?? 0) ? last.error : null,
    };
  }

  return {
    async read(actor: Actor): Promise<{ files: DamagedItem[]; others: number }> {
      const [rows, open, all] = await Promise.all([rowsOf(actor, null), stored.open(), runs.all()]);
      // The list is sorted newest first, so it is reversed to let the newest run win.
      const last = new Map(all.toReversed().flatMap((run) => (run.item_id === null ? [] : [[run.item_id, run]])));
      const files: DamagedItem[] = [];
      for (const row of rows) files.push(await describe(row, last.get(row.id)));
      return { files, others: Math.max(0, open.length - files.length) };
    },

    /** Returns one damaged file, if the actor may read its item; null for any other. */
    async one(actor: Actor, id: string): Promise<StoredFile | null> {
      const [row] = await rowsOf(actor, id);
      return row === undefined ? null : stored.find(id);
    },
  };
}

type Row = {
  id: string;
  name: string;
  size_bytes: number;
  classification: number;
  missionId?: string;
  missionName?: string;
  sensorName?: string;
  fault: DamagedItem['fault'] | null;
  found_bytes: number | null;
  found: number | null;
};

function toItem(row: Row): Omit<DamagedItem, 'restorable' | 'progress' | 'error'> {
  const { missionId, missionName = '', sensorName = '' } = row;
  const fault = row.fault ?? 'content';
  return {
    _id: row.id,
    kind: missionId === undefined ? damagedKinds.document : damagedKinds.recording,
    name: row.name,
    mission: missionId === undefined ? null : { _id: missionId, name: missionName, sensor: sensorName },
    securityClassification: classificationOf(row.classification),
    fault,
    text: faultText({ fault, foundBytes: row.found_bytes, sizeBytes: row.size_bytes }),
    sizeBytes: row.size_bytes,
    found: row.found ?? 0,
  };
}
