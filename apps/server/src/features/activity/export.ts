import type { ActivityRow } from '@osprey/contract';
import { csvLine } from '../../base/http/csv.ts';

const heads = [
  'time',
  'user',
  'role',
  'kind',
  'action',
  'item',
  'item id',
  'label',
  'address',
  'client',
  'outcome',
  'result',
];

const cellsOf = (row: ActivityRow) => [
  new Date(row.time / 1000).toISOString(),
  row.user?.username ?? null,
  row.role,
  row.kind,
  row.action,
  row.item?.name ?? null,
  row.item?._id ?? null,
  row.itemLabel,
  row.address,
  row.client,
  row.outcome,
  row.result,
];

/** Writes the rows in pieces, as a CSV table or as one JSON array. */
export async function* activityText(
  format: 'csv' | 'json',
  rows: AsyncIterable<readonly ActivityRow[]>,
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvLine(heads);
    for await (const batch of rows) if (batch.length > 0) yield batch.map((row) => csvLine(cellsOf(row))).join('');
    return;
  }
  let separator = '[\n';
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    yield separator + batch.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
