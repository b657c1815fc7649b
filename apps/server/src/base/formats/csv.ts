import { type CsvOptions, type CsvRow, createCsvTokenizer } from '@osprey/contract/csv';

export { type CsvRow, csvCells, csvRows } from '@osprey/contract/csv';

/**
 * Yields the rows of a table read in pieces, each as soon as it is complete. @throws RangeError for a row over the
 * limit
 */
export async function* readCsvRows(pieces: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<CsvRow> {
  const tokenizer = createCsvTokenizer(options);
  for await (const piece of pieces) yield* tokenizer.push(piece);
  yield* tokenizer.end();
}
