import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { FileFailed } from '../../base/ws/outgoing.ts';

/** A rejected file: the account that uploaded it (null if there is none), and its original name. */
export type FailedFile = { name: string; uploaded_by: string | null };
type Mission = { missionId: string; missionName: string };

/** Advice for the user. `gone`: the file's bytes were removed. `kept`: its job can be repeated. */
const next = {
  gone: 'Check the file and upload it again.',
  kept: 'Try it again under Activity, or ask an admin.',
};

/** Notifies the open pages of the uploader that the file failed, and what to do next. `sentence` is a full sentence. */
export function notifyUploader(
  notify: FileFailed,
  { file, mission, sentence, left }: { file: FailedFile; mission: Mission; sentence: string; left: keyof typeof next },
): void {
  if (file.uploaded_by === null) return;
  const text = `${file.name} of mission ${mission.missionName}: ${sentence} ${next[left]}`;
  notify({ user: file.uploaded_by, mission: mission.missionId, text });
}

/**
 * Returns the files of a sensor that are waiting to be processed or are being processed, or else only the one with this
 * id.
 */
export const filesAtWork = (db: Db, sensorId: string, fileId: string | null): Promise<FailedFile[]> =>
  asSystem(db, 'ingest')
    .selectFrom('files')
    .select(['name', 'uploaded_by'])
    .where('sensor_id', '=', sensorId)
    .$if(fileId !== null, (query) => query.where('id', '=', fileId))
    .$if(fileId === null, (query) => query.where('state', 'in', ['waiting', 'processing']))
    .execute();
