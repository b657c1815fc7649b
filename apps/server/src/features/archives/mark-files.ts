import { z } from 'zod';
import type { Db } from '../../base/access/as-system.ts';
import type { FrameColumns, NamedFrame } from '../../base/items/archived.ts';
import { sensorsOfMission } from '../../base/items/sensors.ts';
import { columnsOf } from '../../media/anchors/frame-places.ts';
import { refuse, type Zip } from '../../media/formats/zip.ts';
import { fileOf, idFor } from './import-plan.ts';
import type { ArchivedMission, ArchivedSensor } from './manifest.ts';

/** Maximum size of a file of marks. This server never writes a longer one. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** Size at which a file being written is closed. */
const FILE_BYTES = 8 * 1024 * 1024;

/**
 * Converts a frame named in an archive to the columns of an imported row; they are null if the archive does not contain
 * its file.
 */
export function importedFrame(taskId: string, paths: ReadonlySet<string>, frame: NamedFrame | null): FrameColumns {
  const { original = null, run = null, pts = null } = frame ?? {};
  if (original === null || run === null || pts === null || !paths.has(original)) return columnsOf(null);
  return columnsOf({ fileId: idFor(taskId, original), run, pts });
}

type Reading<One> = { kind: string; schema: z.ZodType<One>; max: number };

/** The marks of one kind of a mission, one by one from all files of the kind. @throws AppError badArchive */
export async function* marksIn<One>(
  zip: Zip,
  { marks }: Pick<ArchivedMission, 'marks'>,
  { kind, schema, max }: Reading<One>,
): AsyncGenerator<One> {
  let left = max;
  for (const named of marks.filter((one) => one.kind === kind)) {
    const entry = fileOf(zip, named.path);
    if (entry.sizeBytes > FILE_MAX_BYTES || entry.sizeBytes !== named.sizeBytes) {
      throw refuse(`its ${kind} are too long`);
    }
    const chunks: Uint8Array[] = [];
    for await (const bytes of zip.read(entry)) chunks.push(bytes);
    let list: One[];
    try {
      list = z
        .array(schema)
        .max(left)
        .parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    } catch (error) {
      throw refuse(`its ${kind} are not those of Osprey`, error);
    }
    left -= list.length;
    yield* list;
  }
}

/** Collects marks into files short enough for a reader to hold one in memory. */
export function listWriter() {
  let [lines, length]: [string[], number] = [[], 0];
  function end(): Buffer | null {
    if (lines.length === 0) return null;
    const file = Buffer.from(`[${lines.join(',\n')}]`);
    [lines, length] = [[], 0];
    return file;
  }
  return {
    /** Adds a mark. Returns a file if it is long enough now; else null. */
    add(one: object): Buffer | null {
      const line = JSON.stringify(one);
      lines.push(line);
      length += line.length;
      return length < FILE_BYTES ? null : end();
    },
    /** Returns the remaining marks as a file; null if there are none. */
    end,
  };
}

/** Sensors of an imported mission by their names, and the paths of its originals in the archive. */
export async function placesFor(db: Db, missionId: string, sensors: readonly ArchivedSensor[]) {
  const rows = await sensorsOfMission(db, 'import', missionId);
  return {
    sensorIds: new Map(rows.map(({ id, name }) => [name, id])),
    paths: new Set(sensors.flatMap(({ originals }) => originals.map(({ path }) => path))),
  };
}
