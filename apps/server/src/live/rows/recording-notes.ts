import { classificationOf } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { AuditNote } from '../../base/audit/request-audit.ts';
import type { Overflow, RecordedFile, RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';

/**
 * Minimum length of a gap if only the stream changed; a shorter pause is no gap, since a single picture may last as
 * long.
 */
const GAP_SECONDS = 1;

const ACTIONS = ['recording.begin', 'recording.end', 'recording.gap', 'recording.clock'] as const;

type Noted = {
  action: (typeof ACTIONS)[number];
  /** Together with the action, identifies the row within its mission. */
  result: string | null;
  reason: string;
};

export type RecordingNotes = ReturnType<typeof recordingNotes>;

/**
 * Writes audit rows for events without a user: automatic starts and ends of recordings, gaps in them, and clock jumps.
 * They are derived from the journal repeatedly, and each is written once: existing rows are read from the audit first,
 * so that no row is written again after a restart.
 */
export function recordingNotes(audit: (note: AuditNote) => Promise<void>) {
  /** Rows already in the audit, by running recording. */
  const cached = new Map<string, Set<string>>();

  /** @throws AppError unavailable when a row could not be written */
  async function write(db: Db, recording: Recording): Promise<void> {
    const { missionId } = recording;
    const existing = cached.get(missionId) ?? new Set<string>();
    const fresh = notesOf(recording).filter((note) => !existing.has(keyOf(note)));
    if (fresh.length === 0) return;
    const item = await itemNow(db, recording);
    for (const row of await rowsOf(db, missionId)) existing.add(keyOf(row));
    cached.set(missionId, existing);
    for (const note of fresh) {
      if (existing.has(keyOf(note))) continue;
      const { action, result, reason } = note;
      await audit({ action, reason, ...item, ...(result !== null && { result }) });
      existing.add(keyOf(note));
    }
  }

  return { write, forget: (missionId: string) => void cached.delete(missionId) };
}

const keyOf = ({ action, result }: { action: string; result: string | null }): string => `${action} ${result ?? ''}`;

const rowsOf = (db: Db, missionId: string) =>
  db
    .selectFrom('audit')
    .select(['action', 'result'])
    .where('item_id', '=', missionId)
    .where('action', 'in', ACTIONS)
    .execute();

/**
 * Reads the current label and usergroups of a recorded mission, even in the bin. For a deleted mission, returns those
 * at the start of the recording.
 */
async function itemNow(db: Db, { missionId, classification, usergroups }: Recording) {
  const rows = await asSystem(db, 'recorder')
    .selectFrom('missions')
    .leftJoin('mission_usergroups as link', 'link.mission_id', 'missions.id')
    .where('missions.id', '=', missionId)
    .select(['missions.classification', 'link.usergroup_id'])
    .execute();
  return {
    itemId: missionId,
    itemLabel: classificationOf(rows[0]?.classification ?? classification),
    usergroups: rows.length === 0 ? usergroups : rows.flatMap(({ usergroup_id }) => usergroup_id ?? []),
  };
}

function notesOf(recording: Recording): Noted[] {
  const { cause, startedUs, stopReason, endedUs, sensors } = recording;
  const notes: Noted[] = sensors.flatMap((sensor) => [
    ...sensor.files.flatMap((file, n) => noteOf(sensor, file, sensor.files[n - 1]?.endedUs ?? startedUs) ?? []),
    ...(sensor.overflows ?? []).flatMap((overflow) => noteOfOverflow(sensor, overflow) ?? []),
  ]);
  if (cause !== 'manual') {
    notes.unshift({ action: 'recording.begin', result: null, reason: `Begun by ${cause} at ${textOf(startedUs)}.` });
  }
  if (stopReason !== null) {
    const reason = `Ended by itself at ${textOf(endedUs ?? startedUs)}: ${stopReason}.`;
    notes.push({ action: 'recording.end', result: null, reason });
  }
  return notes;
}

/** Returns the audit row for the gap before this file; null if there is none. */
function noteOf({ sensorId }: RecordedSensor, { fileId, cause, startedUs }: RecordedFile, beforeUs: number) {
  if (cause === 'start') return null;
  const result = `sensor ${sensorId} file ${fileId}`;
  const at = textOf(startedUs);
  if (cause === 'clock') {
    return { action: 'recording.clock' as const, result, reason: `A clock jumped by more than 2 s at ${at}.` };
  }
  // Negative if the clock was set back meanwhile: then the length of the gap is unknown.
  const seconds = (startedUs - beforeUs) / 1e6;
  if (cause === 'stream' && seconds >= 0 && seconds < GAP_SECONDS) return null;
  const lost = seconds < 0 ? 'Some seconds' : `${seconds.toFixed(1)} s`;
  return { action: 'recording.gap' as const, result, reason: `${causes[cause]} ${lost} before ${at} are missing.` };
}

/** Returns the audit row for an overflow; null while the overflow may continue. */
function noteOfOverflow({ sensorId }: RecordedSensor, { startedUs, endedUs, packets }: Overflow): Noted | null {
  if (endedUs === null) return null;
  const between = `between ${textOf(startedUs)} and ${textOf(endedUs)}`;
  const reason = `The disk did not keep up. ${packets} packets ${between} are missing.`;
  return { action: 'recording.gap', result: `sensor ${sensorId} overflow ${startedUs}`, reason };
}

const causes = {
  restart: 'The recorder restarted.',
  stream: 'The stream was away.',
  sync: 'The disk failed.',
};

const textOf = (us: number): string => new Date(us / 1000).toISOString();
