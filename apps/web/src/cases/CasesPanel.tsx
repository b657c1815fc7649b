import {
  mdiDeleteClockOutline,
  mdiFolderMultipleOutline,
  mdiPencilOutline,
  mdiPlus,
  mdiTrashCanOutline,
} from '@mdi/js';
import { Box, Button, Typography, useMediaQuery } from '@mui/material';
import { type CaseRow, can, revokedEvent } from '@osprey/contract';
import { useMemo, useState } from 'react';
import { useActor } from '../api/session.ts';
import { fill, formatCount, plainText } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { size } from '../base/sizes.ts';
import { useEvents, useServerEvent } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { InPlaceOfRows } from '../ui/table/InPlaceOfRows.tsx';
import { allOrSome, nextSort, noChoice, PHONE_ROW, sortingOf } from '../ui/table/listing.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { caseColumns, narrowColumns, phoneColumns } from './columns.tsx';
import { DeleteCases } from './DeleteCases.tsx';
import { type Filter, noFilter } from './filter.ts';
import { texts } from './texts.ts';
import { type SortKey, useCaseRows } from './useCases.ts';

const CaseDialog = laterDialog(async () => (await import('./CaseDialog.tsx')).CaseDialog);
const BinDialog = laterDialog(async () => (await import('./BinDialog.tsx')).BinDialog);

type Props = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  sort: SortKey;
  onSort: (sort: SortKey) => void;
  onOpen: (id: string) => void;
};

type Editing =
  | { kind: 'create' }
  | { kind: 'bin' }
  | { kind: 'edit'; row: CaseRow }
  | { kind: 'delete'; rows: CaseRow[] };

const words = texts.toolbar;
const hiddenAtFirst = ['created'];

/** The cases that the user may read, and what can be done with them. */
export function CasesPanel({ filter, onFilter, sort, onSort, onOpen }: Props) {
  const actor = useActor();
  const { offlineSince } = useEvents();
  const listed = useCaseRows(filter.search, sort);
  const { rows, total } = listed;
  const selection = useSelection(rows);
  const columns = useColumnChoice(storageKeys.caseColumns, hiddenAtFirst);
  const [editing, setEditing] = useState<Editing | null>(null);
  const narrow = useMediaQuery('(max-width: 959.95px)');
  const phone = useMediaQuery('(max-width: 599.95px)');
  useShownLabels(useMemo(() => rows.map((row) => row.securityClassification), [rows]));
  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    // A case that can no longer be read leaves the dialogs too.
    if (noun === 'cases' && editing?.kind === 'edit' && (all === true || ids.includes(editing.row._id)))
      setEditing(null);
  });
  const mayAdd = can(actor, 'case.createAny').allowed;
  const offered = narrow ? narrowColumns : caseColumns;
  const deletable = rows.filter(mayDelete);

  const sortBy = (column: string) => onSort(nextSort(sort, column, ['changed', 'created']));

  const actionsOf = (row: CaseRow) => (
    <>
      {row.editable && (
        <Action
          label={fill(texts.row.edit, { name: plainText(row.name) })}
          icon={mdiPencilOutline}
          onClick={() => setEditing({ kind: 'edit', row })}
        />
      )}
      {row.deletable && (
        <Action
          label={fill(texts.row.remove, { name: plainText(row.name) })}
          hint={row.held ? texts.heldRow : undefined}
          icon={mdiTrashCanOutline}
          disabled={row.held}
          onClick={() => setEditing({ kind: 'delete', rows: [row] })}
        />
      )}
    </>
  );

  return (
    <TablePanel
      label={texts.title}
      tabs={
        <Typography variant="h3" component="h1" sx={{ px: 1 }}>
          {texts.title}
        </Typography>
      }
      faded={listed.stale || offlineSince !== null}
      tools={
        <>
          <Box
            component="span"
            role="status"
            sx={{ color: 'text.secondary', fontSize: 12, display: { xs: 'none', sm: 'inline' } }}
          >
            {total === null ? '' : formatCount(total, texts.count)}
          </Box>
          <SearchField label={texts.search} value={filter.search} onChange={(search) => onFilter({ search })} />
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <ColumnsMenu
              columns={offered}
              hidden={columns.choice.hidden}
              onToggle={columns.toggle}
              onReset={columns.reset}
            />
          </Box>
          {can(actor, 'case.bin').allowed && (
            <Action label={words.bin} icon={mdiDeleteClockOutline} onClick={() => setEditing({ kind: 'bin' })} />
          )}
          {mayAdd && (
            <Button
              variant="contained"
              color="primary"
              startIcon={<Icon path={mdiPlus} />}
              aria-label={words.addLabel}
              onClick={() => setEditing({ kind: 'create' })}
            >
              {words.add}
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label={texts.title}
        columns={phone ? phoneColumns : offered.filter(({ id }) => !columns.choice.hidden.includes(id))}
        rows={rows}
        traits={(row) => ({
          id: row._id,
          name: row.name,
          level: 1,
          ...(mayDelete(row) && { checked: selection.chosenIds.has(row._id) }),
        })}
        sorting={sortingOf(sort)}
        onSort={sortBy}
        choice={narrow ? noChoice : columns.choice}
        onWidth={columns.setWidth}
        onOpen={(row) => onOpen(row._id)}
        onToggle={() => undefined}
        {...(deletable.length > 0 && {
          onCheck: (row: CaseRow, extend: boolean) => mayDelete(row) && selection.toggle(row._id, extend),
          onCheckAll: (checked: boolean) => selection.choose(checked ? deletable.map(({ _id }) => _id) : []),
          checkedAll: allOrSome(selection.chosen.length, deletable.length),
        })}
        {...(!phone && { actions: { width: 84, of: actionsOf } })}
        total={total}
        loading={listed.loading}
        onVisible={listed.onVisible}
        rowHeight={phone ? PHONE_ROW : size.row}
        roomBelow={selection.chosen.length > 0 ? 64 : 0}
      >
        <InPlaceOfRows
          listed={listed}
          shown={rows.length}
          failed={texts.failed}
          filtered={filter.search === '' ? null : { texts: texts.filteredEmpty, onClear: () => onFilter(noFilter) }}
        >
          <Notice
            icon={mdiFolderMultipleOutline}
            title={texts.empty.title}
            text={mayAdd ? texts.empty.text : texts.empty.guest}
          >
            {mayAdd && (
              <Button startIcon={<Icon path={mdiPlus} />} onClick={() => setEditing({ kind: 'create' })}>
                {words.addLabel}
              </Button>
            )}
          </Notice>
        </InPlaceOfRows>
      </DataTable>
      {selection.chosen.length > 0 && (
        <BulkBar count={selection.chosen.length} onClear={selection.clear}>
          <Button
            variant="text"
            color="error"
            startIcon={<Icon path={mdiTrashCanOutline} />}
            onClick={() => setEditing({ kind: 'delete', rows: selection.chosen })}
          >
            {texts.remove.confirm}
          </Button>
        </BulkBar>
      )}
      {editing?.kind === 'delete' && <DeleteCases rows={editing.rows} onClose={() => setEditing(null)} />}
      {editing?.kind === 'bin' && <BinDialog onClose={() => setEditing(null)} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <CaseDialog row={editing.kind === 'edit' ? editing.row : null} onClose={() => setEditing(null)} />
      )}
    </TablePanel>
  );
}

/** The case's holds would be lost with it: its parts are released first. */
const mayDelete = ({ deletable, held }: CaseRow): boolean => deletable && !held;
