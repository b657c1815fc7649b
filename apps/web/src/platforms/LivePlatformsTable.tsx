import { mdiQuadcopter } from '@mdi/js';
import { useMediaQuery } from '@mui/material';
import { can } from '@osprey/contract';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useActor } from '../api/session.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { size } from '../base/sizes.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { InPlaceOfRows } from '../ui/table/InPlaceOfRows.tsx';
import { noChoice } from '../ui/table/listing.ts';
import { narrowColumns, platformColumns, recordColumn } from './columns.tsx';
import { RecordingProvider } from './control/RecordingProvider.tsx';
import { usePlatformControl } from './control/usePlatformControl.ts';
import { noFilter } from './filter.ts';
import type { Preview } from './LiveStateCell.tsx';
import { arranged, itemOf, type Row, rowsOf } from './rows.ts';
import { texts } from './texts.ts';
import type { LivePlatforms } from './useLivePlatforms.ts';
import type { LiveSelection } from './useLiveSelection.ts';
import type { PlatformsView } from './usePlatformsView.ts';

type Props = {
  live: LivePlatforms;
  selection: LiveSelection;
  view: PlatformsView;
  /** Component shown while the pointer is over a state. */
  preview?: Preview;
  /** Actions of a row in addition to Record; a phone has no room for them. */
  actions?: { width: number; of: (row: Row) => ReactNode };
  /** Shown instead of rows if there is no platform at all. */
  children?: ReactNode;
};

const NARROW_ROW = 64;

/**
 * Table of platforms and their sensors, with their streams and recordings; chosen rows are played. Accounts that
 * control platforms have the additional column Record.
 */
export function LivePlatformsTable(props: Props) {
  const actor = useActor();
  const control = usePlatformControl();
  if (!can(actor, 'platform.controlAny').allowed) return <Table {...props} records={false} />;
  return (
    <RecordingProvider selection={props.selection} control={control}>
      <Table {...props} records />
    </RecordingProvider>
  );
}

function Table({ live, selection, view, preview, actions, records, children }: Props & { records: boolean }) {
  const { platforms, readAtMs, loading } = live;
  const { filter, sorting, columns } = view;
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set());
  const shown = useMemo(() => arranged(platforms, filter, sorting), [platforms, filter, sorting]);
  const rows = useMemo(() => rowsOf(shown, expanded, readAtMs), [shown, expanded, readAtMs]);
  useShownLabels(useMemo(() => shown.map((platform) => platform.securityClassification), [shown]));

  const { hidden } = columns.choice;
  const chosenColumns = useMemo(() => {
    const record = records ? [recordColumn] : [];
    if (narrow) return [...narrowColumns, ...record];
    return [...record, ...platformColumns(preview).filter(({ id }) => !hidden.includes(id))];
  }, [narrow, preview, hidden, records]);
  const onToggle = useCallback(({ platform }: Row) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(platform._id)) next.add(platform._id);
      return next;
    });
  }, []);

  return (
    <DataTable
      label={texts.title}
      columns={chosenColumns}
      rows={rows}
      traits={(row) => ({
        id: itemOf(row)._id,
        name: itemOf(row).name,
        level: row.kind === 'platform' ? 1 : 2,
        open: selection.isChosen(row),
        ...(row.kind === 'platform' && row.platform.sensors.length > 0 && { expanded: expanded.has(row.platform._id) }),
      })}
      sorting={sorting}
      onSort={view.sortBy}
      choice={narrow ? noChoice : columns.choice}
      onWidth={columns.setWidth}
      multiple
      onOpen={selection.choose}
      onToggle={onToggle}
      tree
      total={rows.length}
      loading={loading}
      {...(actions && !narrow && { actions })}
      rowHeight={narrow ? NARROW_ROW : size.row}
    >
      <InPlaceOfRows
        listed={live}
        shown={shown.length}
        failed={texts.failed.title}
        staleHint={live.platforms.length > 0 ? texts.failed.staleHint : null}
        filtered={
          live.platforms.length > 0 ? { texts: texts.filteredEmpty, onClear: () => view.setFilter(noFilter) } : null
        }
      >
        {children || <Notice icon={mdiQuadcopter} title={texts.empty.title} text={texts.empty.text} />}
      </InPlaceOfRows>
    </DataTable>
  );
}
