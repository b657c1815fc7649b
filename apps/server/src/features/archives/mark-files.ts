import type { Kysely } from 'kysely';
import { z } from 'zod';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { columnsOf, type FrameColumns } from '../../media/anchors/frame-places.ts';
import { refuse, type Zip } from '../../media/formats/zip.ts';
import { fileOf, idFor } from './import-plan.ts';
import type { ArchivedMission, ArchivedSensor } from './manifest.ts';

/** A file of marks that is longer was not written by us. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/** Length at which a file that we write is closed. */
const FILE_BYTES = 8 * 1024 * 1024;

/** Author of an archive's mark whose user name is not known here. */
const IMPORTED_AUTHOR = 'imported';

/** A frame of an original: its path in the archive, run of its clock and PTS. */
export const archivedFrame = z.strictObject({
  original: z.string().min(1).max(255),
  run: z.int().min(0).max(1_000_000),
  pts: z
    .int()
    .min(-(2 ** 50))
    .max(2 ** 50),
});
export type ArchivedFrame = z.output<typeof archivedFrame>;

type Frame = { file: string | null; run: number | null; pts: number | null };

/** A frame of a row as an archive names it; null where the archive does not hold its file. */
export function frameIn(originals: ReadonlyMap<string, string>, { file, run, pts }: Frame): ArchivedFrame | null {
  const original = file === null ? undefined : originals.get(file);
  return original === undefined || run === null || pts === null ? null : { original, run, pts };
}

type NamedFrame = { original: string | null; run: number | null; pts: number | null };

/** A frame that an archive names, as an imported row keeps it; empty if the archive does not hold its file. */
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
    const parts: Uint8Array[] = [];
    for await (const bytes of zip.read(entry)) parts.push(bytes);
    let list: One[];
    try {
      list = z
        .array(schema)
        .max(left)
        .parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
    } catch (error) {
      throw refuse(`its ${kind} are not those of Osprey`, error);
    }
    left -= list.length;
    yield* list;
  }
}

/** All of them at once. @throws AppError badArchive */
export async function readMarks<One>(
  zip: Zip,
  mission: Pick<ArchivedMission, 'marks'>,
  reading: Reading<One>,
): Promise<One[]> {
  const all: One[] = [];
  for await (const one of marksIn(zip, mission, reading)) all.push(one);
  return all;
}

/** The text of files of marks, so long that a reader may hold one of them in memory. */
export async function* filesOf(marks: Iterable<object> | AsyncIterable<object>): AsyncGenerator<Buffer> {
  let [lines, length]: [string[], number] = [[], 0];
  const file = () => Buffer.from(`[${lines.join(',\n')}]`);
  for await (const one of marks) {
    const line = JSON.stringify(one);
    lines.push(line);
    length += line.length;
    if (length < FILE_BYTES) continue;
    yield file();
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield file();
}

/** Sensors of an imported mission by their names, and the paths of its originals in the archive. */
export async function placesFor(db: Kysely<Database>, missionId: string, sensors: readonly ArchivedSensor[]) {
  const rows = await asSystem(db, 'import')
    .selectFrom('sensors')
    .select(['id', 'name'])
    .where('mission_id', '=', missionId)
    .execute();
  return {
    sensorIds: new Map(rows.map(({ id, name }) => [name, id])),
    paths: new Set(sensors.flatMap(({ originals }) => originals.map(({ path }) => path))),
  };
}

/** Author of an imported mark; without an account where the archive's user name is not known here. */
type Author = { author_id: string | null; author: string };

/** Reads the accounts of one or more user names. Answers the author for each of the names. */
export async function authorsNamed(db: Kysely<Database>, names: readonly string[]): Promise<(name: string) => Author> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', [...new Set(names)])
    .execute();
  const byName = new Map(rows.map((row) => [row.username, row]));
  return (name) => {
    const user = byName.get(name);
    return { author_id: user?.id ?? null, author: user?.username ?? IMPORTED_AUTHOR };
  };
}

type MadeRows = { table: 'annotations' | 'documents'; kind: string; taskId: string; missionId: string };

/** Marks with the ids of their rows. Without those that an earlier try of the task made. */
export async function* notYetMade<One>(
  db: Kysely<Database>,
  marks: AsyncIterable<One>,
  { table, kind, taskId, missionId }: MadeRows,
): AsyncGenerator<{ id: string; one: One }> {
  let index = 0;
  for await (const one of marks) {
    const id = idFor(taskId, `${kind}/${missionId}/${index}`);
    index += 1;
    const made = await asSystem(db, 'import').selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    if (made === undefined) yield { id, one };
  }
}
