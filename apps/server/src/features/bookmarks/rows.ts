import type { AccessFacts, Bookmark, MadeFacts } from '@osprey/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { anchorIn } from '../../media/anchors/frame-places.ts';

export type BookmarkRow = Selectable<Database['bookmarks']> & {
  sensor_name: string | null;
  /** Null if the sensor has no index yet, or is deleted. */
  index_key: string | null;
  time_shift: number | null;
};

/** A row with the state derived from its frame. */
export type PlacedBookmark = BookmarkRow & { state: Bookmark['state'] };

/** Fields of a mission that its bookmarks need. */
export type MarkedMission = MissionRights & { name: string; startTime: number | null };

/** Facts of a mission that rights depend on. */
export type MissionRights = AccessFacts & { id: string };

/** Facts for the rules: those of the mission, and the author. */
export const factsOfMark = (
  mission: MissionRights,
  { author_id }: Pick<BookmarkRow, 'author_id'>,
): MissionRights & MadeFacts => ({ ...mission, authorId: author_id });

type Shown = { mission: MarkedMission; editable: boolean; thumbnailUrl: string | null };

/** A row in the contract's shape. */
export function toBookmark(row: PlacedBookmark, { mission, editable, thumbnailUrl }: Shown): Bookmark {
  const startTime = mission.startTime ?? row.last_time;
  return {
    _id: row.id,
    missionId: row.mission_id,
    missionName: mission.name,
    sensorId: row.sensor_id,
    sensorName: row.sensor_name,
    title: row.title,
    text: row.text,
    time: row.last_time,
    position: (row.last_time - startTime) / 1e6,
    startTime,
    anchor: anchorIn(row),
    state: row.state,
    created: row.created,
    author: row.author,
    editor: row.editor,
    color: row.color,
    thumbnailUrl,
    tags: row.tags,
    revision: row.revision,
    editable,
  };
}
