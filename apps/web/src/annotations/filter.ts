import { annotationSorts } from '@osprey/contract';
import { z } from 'zod';
import { readStoredJson, storageKeys, writeStored } from '../base/keys.ts';
import type { SortKey } from './useAnnotations.ts';

/** Content of the table: all annotations, or only those in the visible part of the map. */
export type Mode = 'all' | 'area';

export type TableFilter = { mode: Mode; search: string; sort: SortKey };

const sorts = annotationSorts.flatMap((key): SortKey[] => [key, `-${key}`]);

const shape = z.object({
  mode: z.enum(['all', 'area']),
  search: z.string().max(200),
  sort: z.enum(sorts as [SortKey, ...SortKey[]]),
});

const atFirst: TableFilter = { mode: 'all', search: '', sort: '-creationTime' };

export const storedFilter = (): TableFilter =>
  shape.safeParse(readStoredJson(storageKeys.annotationsQueryFilter)).data ?? atFirst;

export function storeFilter(filter: TableFilter): void {
  const text = JSON.stringify(filter);
  writeStored(storageKeys.annotationsQueryFilter, text === JSON.stringify(atFirst) ? null : text);
}
