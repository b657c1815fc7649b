import type { Actor } from '@osprey/contract';
import { cellOfNumber, type Extent, extentOf, type GridCell, ringOfCell, SEEN_HOUR_S } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { visible } from '../../base/items/visibility.ts';
import { readableSensors } from '../../media/play/covered-minutes.ts';

const DAYS_US = 30 * 86_400e6;

/**
 * The box around the ground that was seen in the last 30 days, in recordings that the actor may read; without any, around
 * the places where platforms of readable missions were. Null if there are none either.
 */
export async function seenExtent(db: Kysely<Database>, actor: Actor, nowUs: number): Promise<Extent | null> {
  const sinceUs = nowUs - DAYS_US;
  const areas = await readableSensors(db, actor)
    .innerJoin('coverage_seen', 'coverage_seen.sensor_id', 'sensors.id')
    .where('sensors.end_time', '>=', sinceUs)
    .where(
      sql<boolean>`coverage_seen.hour >= floor((${sinceUs}::bigint - sensors.time_shift) / ${sql.lit(SEEN_HOUR_S * 1e6)}::float8)`,
    )
    .select('coverage_seen.area')
    .distinct()
    .execute();
  const extent = extentOf(finest(areas.map(({ area }) => cellOfNumber(area))).map(boxOf));
  return extent ?? placesExtent(db, actor);
}

/** Ground is stored at several levels: areas without those that only hold finer ones of them. */
function finest(cells: readonly GridCell[]): GridCell[] {
  const keyOf = ({ level, column, row }: GridCell) => `${level} ${column} ${row}`;
  const above = new Set<string>();
  for (const { level, column, row } of cells) {
    for (let up = 1; up <= level; up += 1) {
      above.add(keyOf({ level: level - up, column: column >> up, row: row >> up }));
    }
  }
  return cells.filter((cell) => !above.has(keyOf(cell)));
}

function boxOf(cell: GridCell): Extent {
  const [southWest, , northEast] = ringOfCell(cell);
  return [...southWest!, ...northEast!] as Extent;
}

async function placesExtent(db: Kysely<Database>, actor: Actor): Promise<Extent | null> {
  // Places that are near each other make no difference to a map of all of them.
  const rounded = (column: string) => sql<number>`round(${sql.ref(column)}::numeric, 1)::float8`;
  const rows = await visible(db, actor)
    .where('missions.place_lon', 'is not', null)
    .select([rounded('missions.place_lon').as('lon'), rounded('missions.place_lat').as('lat')])
    .distinct()
    .execute();
  return extentOf(rows.map(({ lon, lat }): Extent => [lon, lat, lon, lat]));
}
