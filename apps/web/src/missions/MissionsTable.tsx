import { mdiClockEditOutline, mdiPencilOutline, mdiShareVariantOutline, mdiTrashCanOutline } from '@mdi/js';
import { useMediaQuery } from '@mui/material';
import { type Actor, can, type Mission, type Sensor } from '@osprey/contract';
import { memo, type ReactNode, useCallback, useMemo, useState } from 'react';
import { fill } from '../base/format.ts';
import { factsOf, mayChangeSensors } from '../base/mission-rights.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { size } from '../base/sizes.ts';
import { Action } from '../ui/Action.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { ColumnChoice, RowTraits } from '../ui/table/data-table.ts';
import { letGoOfHiddenFocus } from '../ui/table/hidden-focus.ts';
import { allOrSome, nextSort, noChoice, PHONE_ROW, sortingOf } from '../ui/table/listing.ts';
import type { Selection } from '../ui/table/useSelection.ts';
import { FreshMissions, missionColumns, narrowColumns } from './columns.tsx';
import type { SortKey } from './filter.ts';
import { type Row, rowId, rowsOf } from './rows.ts';
import { texts } from './texts.ts';

export type RowActions = {
  onOpen: (mission: Mission, sensor: Sensor | null) => void;
  onShare: (mission: Mission, sensor: Sensor | null) => void;
  onEdit: (mission: Mission) => void;
  onShift: (mission: Mission, sensor: Sensor) => void;
  onDelete: (missions: Mission[]) => void;
};

type Props = {
  actor: Actor;
  missions: readonly Mission[];
  total: number | null;
  loading: boolean;
  onVisible: (lastIndex: number) => void;
  sort: SortKey;
  onSort: (sort: SortKey) => void;
  columns: { choice: ColumnChoice; setWidth: (column: string, width: number | null) => void };
  /** Selection of rows; null outside of admin mode. */
  selection: Selection<Mission> | null;
  openIds: { mission: string | null; sensor: string | null };
  /** Missions just made, marked until they are opened. */
  fresh: readonly string[];
  actions: RowActions;
  /** Content shown in place of rows. */
  children?: ReactNode;
};

export const MissionsTable = memo(function MissionsTable(props: Props) {
  const { actor, missions, sort, onSort, columns, selection, openIds, fresh, actions } = props;
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set());
  const rows = useMemo(() => rowsOf(missions, expanded), [missions, expanded]);
  useShownLabels(useMemo(() => missions.map((mission) => mission.securityClassification), [missions]));

  const chosenColumns = useMemo(
    () => (narrow ? narrowColumns : missionColumns.filter(({ id }) => !columns.choice.hidden.includes(id))),
    [narrow, columns.choice.hidden],
  );
  const onToggle = useCallback((row: Row) => {
    setExpanded((before) => {
      const next = new Set(before);
      if (!next.delete(row.mission._id)) next.add(row.mission._id);
      return next;
    });
  }, []);
  const sorting = useMemo(() => sortingOf(sort), [sort]);

  function traits(row: Row): RowTraits {
    if (row.kind === 'sensor') {
      return { id: row.sensor._id, name: row.sensor.name, level: 2, open: row.sensor._id === openIds.sensor };
    }
    const { _id, name, sensors } = row.mission;
    return {
      id: _id,
      name,
      level: 1,
      open: _id === openIds.mission,
      fresh: fresh.includes(_id),
      ...(sensors.length > 0 && { expanded: expanded.has(_id) }),
      ...(selection && { checked: selection.chosenIds.has(_id) }),
    };
  }

  const sortBy = (column: string) => onSort(nextSort(sort, column, ['startTime', 'endTime', 'rating', 'views']));

  function openRow(row: Row) {
    // Moves the focus away from the row, so that the arrow keys, Home and End control the mission that was opened,
    // instead of moving between rows.
    letGoOfHiddenFocus();
    actions.onOpen(row.mission, row.kind === 'sensor' ? row.sensor : null);
  }

  const fresher = useMemo(
    () => ({ ids: fresh, open: (mission: Mission) => actions.onOpen(mission, null) }),
    [fresh, actions],
  );
  const checkedCount = selection?.chosen.length ?? 0;
  return (
    <FreshMissions value={fresher}>
      <DataTable
        label={texts.title}
        columns={chosenColumns}
        rows={rows}
        traits={traits}
        sorting={sorting}
        onSort={sortBy}
        choice={narrow ? noChoice : columns.choice}
        onWidth={columns.setWidth}
        onOpen={openRow}
        onToggle={onToggle}
        followId={openIds.mission}
        tree
        {...(selection && {
          onCheck: (row: Row, extend: boolean) => row.kind === 'mission' && selection.toggle(rowId(row), extend),
          onCheckAll: selection.all,
          checkedAll: allOrSome(checkedCount, missions.length),
        })}
        {...(!narrow && {
          actions: {
            width: selection ? 104 : 44,
            of: (row: Row) => <Actions row={row} actor={actor} admin={selection !== null} actions={actions} />,
          },
        })}
        total={props.total}
        onVisible={props.onVisible}
        loading={props.loading}
        rowHeight={narrow ? PHONE_ROW : size.row}
        roomBelow={checkedCount > 0 ? 64 : 0}
      >
        {props.children}
      </DataTable>
    </FreshMissions>
  );
});

type ActionsProps = { row: Row; actor: Actor; admin: boolean; actions: RowActions };

/**
 * Buttons of one row: sharing for everybody; in admin mode, if the actor may, editing and deleting a mission, and
 * shifting the times of a sensor.
 */
function Actions({ row, actor, admin, actions }: ActionsProps) {
  const { mission } = row;
  const sensor = row.kind === 'sensor' ? row.sensor : null;
  const name = sensor?.name ?? mission.name;
  const may = (action: 'mission.update' | 'mission.delete') => can(actor, action, factsOf(mission)).allowed;
  return (
    <>
      {admin && sensor === null && (
        <>
          <Action
            label={fill(texts.row.edit, { name })}
            icon={mdiPencilOutline}
            disabled={!may('mission.update')}
            onClick={() => actions.onEdit(mission)}
          />
          <Action
            label={fill(texts.row.remove, { name })}
            icon={mdiTrashCanOutline}
            disabled={!may('mission.delete')}
            onClick={() => actions.onDelete([mission])}
          />
        </>
      )}
      {admin && sensor !== null && sensor.startTime !== null && (
        <Action
          label={fill(texts.row.shift, { name })}
          icon={mdiClockEditOutline}
          disabled={!mayChangeSensors(actor, mission)}
          onClick={() => actions.onShift(mission, sensor)}
        />
      )}
      <Action
        label={fill(texts.row.share, { name })}
        icon={mdiShareVariantOutline}
        onClick={() => actions.onShare(mission, sensor)}
      />
    </>
  );
}
