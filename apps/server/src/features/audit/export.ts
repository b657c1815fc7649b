import type { auditFormats } from '@osprey/contract';
import { z } from 'zod';
import { HASHED_COLUMNS } from '../../base/audit/chain.ts';
import { type Checkpoint, checkpoint } from '../../base/audit/checkpoint.ts';
import type { ChainedRow } from '../../base/db/audit-rows.ts';
import { csvLine } from '../../base/http/csv.ts';

export type AuditFormat = (typeof auditFormats)[number];

const FORMAT_VERSION = 1;
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();
const text = z.string().nullable();

const storedRow = z.object({
  node: z.string(),
  seq: z.int().positive(),
  time: z.int(),
  monotonic: z.int(),
  actor_id: text,
  role: text,
  clearance: count.nullable(),
  session: text,
  address: text,
  action: z.string(),
  item_id: text,
  item_label: count.nullable(),
  groups: z.array(z.string()).nullable(),
  decision: z.enum(['allowed', 'refused']),
  via: text,
  result: text,
  reason: text,
  previous_hash: hash,
  hash,
});

/** A line of the NDJSON export: first a head, then rows, then checkpoints. */
export const exportLine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('head'),
    version: z.literal(FORMAT_VERSION),
    time: z.int(),
    /** False if a filter or the caller's clearance excluded rows. */
    whole: z.boolean(),
    /** Ed25519 keys in PEM. A verifier who does not trust the export must obtain the keys elsewhere. */
    publicKeys: z.array(z.string()),
  }),
  z.object({ kind: z.literal('row'), ...storedRow.shape }),
  z.object({ kind: z.literal('checkpoint'), ...checkpoint.shape }),
]);
export type ExportHead = Omit<Extract<z.output<typeof exportLine>, { kind: 'head' }>, 'kind' | 'version'>;

/** Writes the audit rows and then the checkpoints, as pieces of text. */
export async function* exportText(
  format: AuditFormat,
  head: ExportHead,
  rows: AsyncIterable<readonly ChainedRow[]>,
  checkpoints: readonly Checkpoint[],
): AsyncGenerator<string> {
  const form = format === 'csv' ? csv : ndjson;
  yield form.head(head);
  for await (const batch of rows) if (batch.length > 0) yield batch.map(form.row).join('');
  yield checkpoints.map(form.checkpoint).join('');
}

const jsonLine = (kind: string, fields: object): string => `${JSON.stringify({ kind, ...fields })}\n`;

const ndjson = {
  head: (head: ExportHead) => jsonLine('head', { version: FORMAT_VERSION, ...head }),
  row: (row: ChainedRow) =>
    jsonLine('row', { ...row, previous_hash: row.previous_hash.toString('hex'), hash: row.hash.toString('hex') }),
  checkpoint: (one: Checkpoint) => jsonLine('checkpoint', one),
};

/** Writes the CSV form: one line for each row. Checkpoints use additional columns at the end. */
const csv = {
  head: (_head: ExportHead) =>
    csvLine(['kind', ...HASHED_COLUMNS, 'previous_hash', 'hash', 'chains', 'key', 'signature']),
  row: (row: ChainedRow) => {
    const cells = HASHED_COLUMNS.map((column) => (column === 'groups' ? (row.groups?.join(' ') ?? null) : row[column]));
    const hashes = [row.previous_hash.toString('hex'), row.hash.toString('hex')];
    return csvLine(['row', ...cells, ...hashes, null, null, null]);
  },
  checkpoint: ({ number, time, chains, key, signature }: Checkpoint) => {
    const cells = HASHED_COLUMNS.map((column) => ({ seq: number, time })[column as string] ?? null);
    return csvLine(['checkpoint', ...cells, null, null, JSON.stringify(chains), key, signature]);
  },
};
