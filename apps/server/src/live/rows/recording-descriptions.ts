import type { Kysely } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Recording, RecordingDescription } from '../../recorder-wire/protocol.ts';
import type { RecorderMirror } from './mirror.ts';

/** Interval of checks, in milliseconds; a change reaches the journal within two seconds. */
const EVERY_MS = 1000;

export type DescriptionDeps = {
  db: Kysely<Database>;
  mirror: Pick<RecorderMirror, 'running' | 'request'>;
  /** Called after the description was written to the journal. */
  described: (recording: Recording) => void;
  log: { warn: (fields: object, text: string) => void };
};

/**
 * Keeps the journals of running recordings in line with the rows of their missions: name, description, tags, label and
 * audience. The rows are polled, since another process may change them, or a change may happen while the recorder is
 * unreachable. Runs only while something is being recorded.
 */
export function recordingDescriptions({ db, mirror, described, log }: DescriptionDeps) {
  let working: Promise<void> | null = null;
  const timer = setInterval(() => {
    working ??= follow().finally(() => {
      working = null;
    });
  }, EVERY_MS);

  async function follow(): Promise<void> {
    const running = mirror.running();
    if (running.length === 0) return;
    try {
      const rows = await readDescriptions(
        db,
        running.map(({ missionId }) => missionId),
      );
      for (const recording of running) {
        const row = rows.get(recording.missionId);
        if (row === undefined || matchesRow(recording, row)) continue;
        const { missionId } = recording;
        const error = await mirror.request({ kind: 'describe', missionId, description: row });
        if (error === null) described({ ...recording, ...row });
        else log.warn({ error, mission: missionId }, 'the journal of a recording does not follow its mission yet');
      }
    } catch (error) {
      log.warn({ error }, 'missions that are recorded could not be read');
    }
  }

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await working;
    },
  };
}

async function readDescriptions(db: Kysely<Database>, ids: string[]): Promise<Map<string, RecordingDescription>> {
  const rows = await asSystem(db, 'recorder')
    .selectFrom('missions')
    .leftJoin('mission_usergroups', 'mission_usergroups.mission_id', 'missions.id')
    .select(['missions.id', 'name', 'description', 'tags', 'classification', 'marked', 'audience', 'usergroup_id'])
    .where('missions.id', 'in', ids)
    .orderBy('usergroup_id')
    .execute();
  const found = new Map<string, RecordingDescription>();
  for (const { id, name, usergroup_id, ...row } of rows) {
    const existing = found.get(id) ?? { ...row, missionName: name, usergroups: [] };
    if (usergroup_id !== null) existing.usergroups.push(usergroup_id);
    found.set(id, existing);
  }
  return found;
}

/**
 * Returns whether the journal agrees with the row, ignoring the order of groups. Groups deleted since the start are in
 * no row and are ignored.
 */
function matchesRow(recording: Recording, row: RecordingDescription): boolean {
  const textOf = ({
    missionName,
    description,
    tags,
    classification,
    marked,
    audience,
    usergroups,
  }: RecordingDescription) =>
    JSON.stringify([missionName, description, tags, classification, marked, audience, [...usergroups].sort()]);
  return textOf(recording) === textOf(row);
}
