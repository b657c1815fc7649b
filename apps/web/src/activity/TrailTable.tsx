import { mdiHistory } from '@mdi/js';
import { useMediaQuery } from '@mui/material';
import { useCallback, useMemo } from 'react';
import type { Pages } from '../api/usePages.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { Column, Sorting } from '../ui/table/data-table.ts';
import { InPlaceOfRows } from '../ui/table/InPlaceOfRows.tsx';
import { noChoice, PHONE_ROW } from '../ui/table/listing.ts';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { groupPictures } from './picture-rows.ts';
import { narrowColumns, type TrailRow } from './rows.tsx';
import { texts } from './texts.ts';

type Props<Row extends TrailRow> = {
  label: string;
  storageKey: string;
  columns: readonly Column<Row>[];
  listed: Pages<Row>;
  filtered: boolean;
  onClear: () => void;
};

/** Both activity and audit can only be sorted by time, newest first. */
const newestFirst: Sorting = { column: 'time', descending: true };
const nothing = () => undefined;

export function TrailTable<Row extends TrailRow>({
  label,
  storageKey,
  columns,
  listed,
  filtered,
  onClear,
}: Props<Row>) {
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const choice = useColumnChoice(storageKey);
  const { rows: all } = listed;
  const { rows, lastOf } = useMemo(() => groupPictures(all), [all]);
  useShownLabels(useMemo(() => all.flatMap(({ itemLabel }) => itemLabel ?? []), [all]));
  const { onVisible: onLast } = listed;
  const onVisible = useCallback((index: number) => onLast(lastOf(index)), [onLast, lastOf]);
  return (
    <DataTable
      label={label}
      columns={useMemo(() => (narrow ? narrowColumns(columns) : columns), [narrow, columns])}
      rows={rows}
      traits={({ node, seq }) => ({ id: `${node}/${seq}`, name: String(seq), level: 1 })}
      sorting={newestFirst}
      onSort={nothing}
      choice={narrow ? noChoice : choice.choice}
      onWidth={choice.setWidth}
      onOpen={nothing}
      onToggle={nothing}
      total={listed.total}
      onVisible={onVisible}
      loading={listed.loading}
      {...(narrow && { rowHeight: PHONE_ROW })}
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
