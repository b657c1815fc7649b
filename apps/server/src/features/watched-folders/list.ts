import { lstat, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError, classification, platform } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../base/db/schema.ts';
import { csvRows } from '../../base/formats/csv.ts';
import { digitsOf } from '../../base/formats/numbers.ts';
import { type FolderRow, isInside } from './folders.ts';
import type { Described, ScannedFile } from './take.ts';
import { missionNameFor } from './take.ts';

const ROWS_MAX = 5000;
/** Separators besides the comma; column names contain none of them. */
const SEPARATORS = ['\t', ';'] as const;
const COLUMNS = [
  'name',
  'files',
  'description',
  'securityClassification',
  'usergroups',
  'audience',
  'platform',
  'platformType',
  'tags',
  'country',
] as const;

const several = z
  .union([z.string(), z.array(z.string().max(1024)).max(64)])
  .transform((value) =>
    (Array.isArray(value) ? value : value.split(';')).map((one) => one.trim()).filter((one) => one !== ''),
  );
const text = z.string().trim().max(1000);
const filled = (value: string | undefined) => (value === '' ? undefined : value);

/** One row of the list; an empty cell counts as no value. */
export const listRow = z.strictObject({
  name: text.optional().transform(filled),
  files: several,
  description: text.optional().transform(filled),
  securityClassification: text.optional().transform(filled),
  usergroups: several.optional(),
  audience: text.optional().transform(filled),
  platform: text.optional().transform(filled),
  platformType: text.optional().transform(filled),
  tags: several.optional(),
  country: text.optional().transform(filled),
});
export type ListRow = z.output<typeof listRow>;

/** Parses the rows of a list. @throws AppError ruleRefused that says which row is wrong */
export function readList(format: 'csv' | 'json', body: string): ListRow[] {
  const raw = format === 'json' ? readJson(body) : readCsv(body);
  if (raw.length === 0) throw refusal('The list has no rows.');
  if (raw.length > ROWS_MAX) throw refusal(`The list has more than ${ROWS_MAX} rows.`);
  return raw.map((row, index) => {
    const parsed = listRow.safeParse(row);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw refusal(`Row ${index + 1} is not valid: ${issue?.path.join('.') || 'row'}: ${issue?.message ?? ''}`);
  });
}

const refusal = (reason: string, cause?: unknown) => new AppError('ruleRefused', { reason }, cause);

function readJson(body: string): unknown[] {
  try {
    const value: unknown = JSON.parse(body);
    if (Array.isArray(value)) return value;
  } catch (error) {
    throw refusal('The list is not JSON.', error);
  }
  throw refusal('The list is not an array of objects.');
}

function readCsv(body: string): unknown[] {
  const text = body.replace(/^\ufeff/, '');
  const [first = ''] = text.split('\n', 1);
  const separator = SEPARATORS.find((one) => first.includes(one)) ?? ',';
  const rows = csvRows(text, { separator, linesInCells: true });
  // Refused, since all text after the unclosed quote, perhaps including a label, would become part of the cell.
  if (rows.at(-1)?.isOpen)
    throw refusal('The list has a cell that begins with a quotation mark and does not end with one.');
  const [head = [], ...filled] = rows
    .map(({ cells }) => cells.map((cell) => cell.trim()))
    .filter((row) => row.some((cell) => cell !== ''));
  const unknown = head.find((name) => !COLUMNS.some((known) => known === name));
  if (unknown !== undefined || !head.includes('files')) {
    throw refusal(`The first line must name the columns, "files" among them. Known are ${COLUMNS.join(', ')}.`);
  }
  return filled.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])));
}

/** Returns the files of a row, each of which must be inside the folder. @throws AppError ruleRefused */
export async function filesOf(folder: FolderRow, row: ListRow): Promise<ScannedFile[]> {
  if (row.files.length === 0) throw refusal('It names no files.');
  const files: ScannedFile[] = [];
  for (const name of row.files) {
    const real = await realpath(resolve(folder.path, name)).catch(() => null);
    const found = real !== null && isInside(real, folder.path) ? await lstat(real) : null;
    if (real === null || !found?.isFile()) throw refusal(`There is no file ${name} in the folder.`);
    files.push({ name, path: real, sizeBytes: found.size, modifiedMs: found.mtimeMs });
  }
  return files;
}

/** Reads the description of a mission from a row of the list. @throws AppError */
export async function describedBy(db: Kysely<Database>, row: ListRow): Promise<Described> {
  const label = row.securityClassification;
  const requestedLabel =
    label === undefined ? null : classification.safeParse(/^\d$/.test(label) ? digitsOf(label) : label);
  if (requestedLabel !== null && !requestedLabel.success) throw refusal(`The label ${label} is not known.`);
  if (row.audience !== undefined && row.audience !== 'everyone' && row.audience !== 'groups') {
    throw refusal('The audience is "everyone" or "groups".');
  }
  return {
    name: row.name ?? missionNameFor(row.files[0] ?? ''),
    ...(row.description === undefined ? {} : { description: row.description }),
    ...(requestedLabel === null ? {} : { securityClassification: requestedLabel.data }),
    ...(row.usergroups === undefined || row.usergroups.length === 0
      ? {}
      : { usergroups: await groupIds(db, row.usergroups) }),
    ...(row.audience === undefined ? {} : { audience: row.audience }),
    ...(row.platform === undefined && row.platformType === undefined
      ? {}
      : {
          platform: platform.parse({
            ...(row.platform === undefined ? {} : { name: row.platform }),
            ...(row.platformType === undefined ? {} : { type: row.platformType }),
          }),
        }),
    ...(row.tags === undefined ? {} : { tags: row.tags }),
    ...(row.country === undefined ? {} : { country_code: row.country }),
  };
}

async function groupIds(db: Kysely<Database>, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('usergroups')
    .select(['id', 'name'])
    .where('name', 'in', [...names])
    .execute();
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw refusal(`The usergroup ${unknown} is not known.`);
  return rows.map(({ id }) => id);
}
