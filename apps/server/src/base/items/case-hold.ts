import { type Actor, AppError } from '@osprey/contract';
import { type RawBuilder, sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import { visibleCases } from './visibility.ts';

/**
 * Columns of the view `case_holds`: ids of missions, and of other subjects, that cases on hold protect from deletion.
 */
export type HeldColumn = 'mission_id' | 'subject_id';

/** Condition that no case on hold protects the row with this id. */
export const isFreeOfCases = (column: HeldColumn, id: string): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from case_holds held where ${sql.ref(`held.${column}`)} = ${sql.ref(id)})`;

/**
 * Returns texts for the rows that a case on hold protects: "Held by case 7" if the actor may read that case, else
 * "Held".
 */
export async function heldTexts(
  db: Db,
  actor: Actor,
  column: HeldColumn,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const held = sql.ref<string>(`case_holds.${column}`);
  const rows = await asSystem(db, 'case')
    .selectFrom('case_holds')
    .where(sql<boolean>`${held} = any (${[...ids]}::uuid[])`)
    .select([held.as('id'), 'case_id', 'number'])
    .orderBy('number', 'desc')
    .execute();
  if (rows.length === 0) return new Map();
  const caseIds = rows.map(({ case_id }) => case_id);
  const read = await visibleCases(db, actor).where('cases.id', 'in', caseIds).select('cases.id').execute();
  const readable = new Set(read.map(({ id }) => id));
  const texts = new Map<string, string>();
  for (const { id, case_id, number } of rows) {
    // Rows are sorted by descending number, so the lowest case number that the actor may read is the one that remains.
    if (readable.has(case_id)) texts.set(id, `Held by case ${number}`);
    else if (!texts.has(id)) texts.set(id, 'Held');
  }
  return texts;
}

/** Returns rows in the contract's shape, with `heldBy` if a case on hold protects them. */
export async function withHolds<Row extends { _id: string }>(
  db: Db,
  actor: Actor,
  column: HeldColumn,
  rows: readonly Row[],
): Promise<(Row & { heldBy?: string })[]> {
  const texts = await heldTexts(
    db,
    actor,
    column,
    rows.map(({ _id }) => _id),
  );
  return rows.map((row) => {
    const heldBy = texts.get(row._id);
    return heldBy === undefined ? row : { ...row, heldBy };
  });
}

/**
 * Refuses the change if a case on hold protects one of the rows. Locks the rows, so that a hold confirmed earlier is
 * taken into account. @throws AppError caseHeld
 */
export async function refuseOnHold(
  tx: Db,
  actor: Actor,
  column: HeldColumn,
  rows: readonly { id: string; name: string }[],
): Promise<void> {
  const texts = await heldTexts(
    tx,
    actor,
    column,
    rows.map(({ id }) => id),
  );
  const first = rows.find(({ id }) => texts.has(id));
  if (first !== undefined) throw new AppError('caseHeld', { held: texts.get(first.id)!, name: first.name });
}
