import { useMediaQuery } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { useMemo } from 'react';
import { useShownLabels } from '../../base/shown-labels.ts';
import type { Column } from '../table/data-table.ts';
import { noChoice } from '../table/listing.ts';
import { useColumnChoice } from '../table/useColumnChoice.ts';
import { useSelection } from '../table/useSelection.ts';

export type ListedItem = { _id: string; securityClassification: Classification };

type Options<Row> = {
  rows: readonly Row[];
  columns: {
    all: readonly Column<Row>[];
    /** Columns below 960 px; default: `all`. */
    narrow?: readonly Column<Row>[];
    /** Columns below 600 px, which the user cannot choose. */
    phone: readonly Column<Row>[];
  };
  /** Local storage key for the choice of columns. */
  storageKey: string;
  hiddenAtFirst?: readonly string[];
};

/** State of a list of items: the selected rows, and the visible columns with their widths. */
export function useItemList<Row extends ListedItem>({ rows, columns, storageKey, hiddenAtFirst }: Options<Row>) {
  const selection = useSelection(rows);
  const choice = useColumnChoice(storageKey, hiddenAtFirst);
  const isNarrow = useMediaQuery('(max-width: 959.95px)');
  const isPhone = useMediaQuery('(max-width: 599.95px)');
  const { all, narrow = all, phone } = columns;
  const offered = isNarrow ? narrow : all;
  const { hidden } = choice.choice;
  useShownLabels(useMemo(() => rows.map((row) => row.securityClassification), [rows]));
  const shown = useMemo(
    () => (isPhone ? phone : offered.filter(({ id }) => !hidden.includes(id))),
    [isPhone, phone, offered, hidden],
  );
  const widths = isPhone || offered !== all ? noChoice : choice.choice;
  return { rows, selection, choice, offered, shown, widths, isNarrow, isPhone };
}

export type ItemListState<Row extends ListedItem> = ReturnType<typeof useItemList<Row>>;
