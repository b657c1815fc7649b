import { mdiHistory } from '@mdi/js';
import { useMediaQuery } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { useMemo } from 'react';
import type { Pages } from '../api/usePages.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { Column, Sorting } from '../ui/table/data-table.ts';
import { InPlaceOfRows } from '../ui/table/InPlaceOfRows.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { narrowColumns } from './rows.tsx';
import { texts } from './texts.ts';

type Line = { node: string; seq: number; itemLabel: Classification | null };

type Props<Row extends Line> = {
  label: string;
  storageKey: string;
  columns: readonly Column<Row>[];
  listed: Pages<Row>;
  filtered: boolean;
  onClear: () => void;
};

/** Sorts activity and audit from the newest back, the only order that both offer. */
const newestFirst: Sorting = { column: 'time', descending: true };
const nothing = () => undefined;

export function TrailTable<Row extends Line>({ label, storageKey, columns, listed, filtered, onClear }: Props<Row>) {
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const choice = useColumnChoice(storageKey);
  const { rows } = listed;
  useShownLabels(useMemo(() => rows.flatMap(({ itemLabel }) => itemLabel ?? []), [rows]));
  return (
    <DataTable
      label={label}
      columns={useMemo(() => (narrow ? narrowColumns(columns) : columns), [narrow, columns])}
      rows={rows}
      traits={({ node, seq }) => ({ id: `${node}/${seq}`, name: String(seq), level: 1 })}
      sorting={newestFirst}
      onSort={nothing}
      choice={choice.choice}
      onWidth={choice.setWidth}
      onOpen={nothing}
      onToggle={nothing}
      total={listed.total}
      onVisible={listed.onVisible}
      loading={listed.loading}
    >
      <InPlaceOfRows
        listed={listed}
        shown={rows.length}
        failed={texts.failed}
        filtered={filtered ? { texts: texts.filteredEmpty, onClear } : null}
      >
        <Notice icon={mdiHistory} title={texts.empty.title} text={texts.empty.text} />
      </InPlaceOfRows>
    </DataTable>
  );
}
