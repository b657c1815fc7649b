import { asSystem, type Db } from '../../base/access/as-system.ts';
import { polygonText } from '../../base/db/query-geometry.ts';
import type { GroundShapes } from './ground.ts';

type Of = { missionId: string; sensorId: string };

/** Maximum number of rows per insert. */
const ROWS = 500;

/**
 * Removes the shapes of a sensor from the geographic filter: all of them, or during a recording those from this piece
 * on.
 */
export async function dropShapes(tx: Db, { missionId, sensorId }: Of, fromPiece?: number): Promise<void> {
  let query = asSystem(tx, 'ingest')
    .deleteFrom('mission_shapes')
    .where('mission_id', '=', missionId)
    .where('sensor_id', '=', sensorId);
  if (fromPiece !== undefined) query = query.where('piece', '>=', fromPiece);
  await query.execute();
}

/** Adds shapes of a sensor to the geographic filter. `piece`: null for shapes made by ingest. */
export async function addShapes(
  tx: Db,
  { missionId, sensorId }: Of,
  shapes: GroundShapes,
  piece: number | null = null,
): Promise<void> {
  const own = { mission_id: missionId, sensor_id: sensorId, piece };
  const rows = Object.entries(shapes).flatMap(([aoi_mode, lines]) =>
    lines.filter((line) => line.length > 0).map((line) => ({ ...own, aoi_mode, shape: polygonText(line) })),
  );
  for (let at = 0; at < rows.length; at += ROWS) {
    await asSystem(tx, 'ingest')
      .insertInto('mission_shapes')
      .values(rows.slice(at, at + ROWS))
      .execute();
  }
}
