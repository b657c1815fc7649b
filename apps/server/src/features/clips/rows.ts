import type { AccessFacts, Clip, FrameAnchor, MadeFacts } from '@osprey/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../base/db/schema.ts';

export type ClipRow = Selectable<Database['clips']>;
export type CutRow = Selectable<Database['clip_cuts']> & {
  sensor_name: string | null;
  index_key: string | null;
  time_shift: number | null;
};
export type PlacedCut = CutRow & { state: Clip['cuts'][number]['state'] };

/** Fields of a mission that its clips need. */
export type ClippedMission = AccessFacts & { id: string; name: string };

/** Facts for the rules: those of the mission, and the author. */
export const factsOfClip = <Facts extends AccessFacts & { id: string }>(
  mission: Facts,
  { author_id }: Pick<ClipRow, 'author_id'> = { author_id: null },
): Facts & MadeFacts => ({ ...mission, authorId: author_id });

type End = 'in' | 'out';

export function anchorOf(row: CutRow, end: End): FrameAnchor | null {
  const [fileId, run, pts] = [row[`${end}_file`], row[`${end}_run`], row[`${end}_pts`]];
  return fileId === null || run === null || pts === null ? null : { fileId, run, pts };
}

/** Converts a clip's row to the contract's shape. */
export function toClip(row: ClipRow, cuts: readonly PlacedCut[], mission: ClippedMission, editable: boolean): Clip {
  return {
    _id: row.id,
    missionId: row.mission_id,
    missionName: mission.name,
    title: row.title,
    note: row.note,
    tags: row.tags,
    startTime: Math.min(...cuts.map(({ in_time }) => in_time)),
    endTime: Math.max(...cuts.map(({ out_time }) => out_time)),
    cuts: cuts.map((cut) => ({
      sensorId: cut.sensor_id,
      sensorName: cut.sensor_name,
      startTime: cut.in_time,
      endTime: cut.out_time,
      in: anchorOf(cut, 'in'),
      out: anchorOf(cut, 'out'),
      state: cut.state,
    })),
    created: row.created,
    author: row.author,
    editor: row.editor,
    revision: row.revision,
    editable,
  };
}
