import { mdiFolderMultipleOutline, mdiPencilOutline, mdiTrashCanOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { type CaseRow, can } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { fill, plainText } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { useEvents } from '../events/events.ts';
import { useEditing } from '../events/useEditing.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ItemList } from '../ui/item-list/ItemList.tsx';
import { useItemList } from '../ui/item-list/useItemList.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
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
  | { kind: 'edit'; rows: readonly [CaseRow] }
  | { kind: 'delete'; rows: readonly CaseRow[] };

const columns = { all: caseColumns, narrow: narrowColumns, phone: phoneColumns };
const hiddenAtFirst = ['created'];

/** Table of the cases that the user may read, with the actions on them. */
export function CasesPanel({ filter, onFilter, sort, onSort, onOpen }: Props) {
  const actor = useActor();
  const { offlineSince } = useEvents();
  const { show } = useSnackbar();
  const listed = useCaseRows(filter.search, sort);
  const { rows } = listed;
  const list = useItemList({ rows, columns, storageKey: storageKeys.caseColumns, hiddenAtFirst });
  const [editing, setEditing] = useEditing<Editing>('cases', () => show(texts.gone, 'warning'));
  const close = () => setEditing(null);

  const actionsOf = (row: CaseRow) => (
    <>
      {row.editable && (
        <Action
          label={fill(texts.row.edit, { name: plainText(row.name) })}
          icon={mdiPencilOutline}
          onClick={() => setEditing({ kind: 'edit', rows: [row] })}
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
    <ItemList
      texts={texts}
      icon={mdiFolderMultipleOutline}
      list={list}
      listed={listed}
      isOffline={offlineSince !== null}
      nameOf={({ name }) => name}
      onOpen={({ _id }) => onOpen(_id)}
      mayChoose={rows.some(mayDelete) ? mayDelete : null}
      actions={list.isPhone ? null : { width: 84, of: actionsOf }}
      sort={sort}
      onSort={onSort}
      startsDown={['changed', 'created']}
      search={filter.search}
      onSearch={(search) => onFilter({ search })}
      hidden={filter.search === '' ? null : { texts: texts.filteredEmpty, onClear: () => onFilter(noFilter) }}
      onCreate={can(actor, 'case.createAny').allowed ? () => setEditing({ kind: 'create' }) : null}
      onBin={can(actor, 'case.bin').allowed ? () => setEditing({ kind: 'bin' }) : null}
      count={texts.count}
      bulk={
        <Button
          variant="text"
          color="error"
          startIcon={<Icon path={mdiTrashCanOutline} />}
          onClick={() => setEditing({ kind: 'delete', rows: list.selection.chosen })}
        >
          {texts.remove.confirm}
        </Button>
      }
    >
      {editing?.kind === 'delete' && <DeleteCases rows={editing.rows} onClose={close} />}
      {editing?.kind === 'bin' && <BinDialog onClose={close} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <CaseDialog row={editing.kind === 'edit' ? editing.rows[0] : null} onClose={close} />
      )}
    </ItemList>
  );
}

/** A case on hold cannot be deleted, since its holds would be lost with it; its parts must be released first. */
const mayDelete = ({ deletable, held }: CaseRow): boolean => deletable && !held;
