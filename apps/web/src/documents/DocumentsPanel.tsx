import {
  mdiDownload,
  mdiFileDocumentMultipleOutline,
  mdiPencilOutline,
  mdiShareVariantOutline,
  mdiTrashCanOutline,
} from '@mdi/js';
import { can, type DocumentRow } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { entriesOf, filesOf } from '../base/dropped-files.ts';
import { fill } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { useEvents } from '../events/events.ts';
import { useEditing } from '../events/useEditing.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { commonQuery } from '../ui/filter/query-filter.ts';
import { ItemList } from '../ui/item-list/ItemList.tsx';
import { useItemList } from '../ui/item-list/useItemList.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { PageDrop } from '../ui/PageDrop.tsx';
import { useShare } from '../ui/share/useShare.tsx';
import { collectedDocuments } from './collected.ts';
import { documentColumns, narrowColumns, phoneColumns } from './columns.tsx';
import { DeleteDocument } from './DeleteDocument.tsx';
import { DocumentFilterBar } from './DocumentFilterBar.tsx';
import { type Filter, noFilter, type SortKey } from './filter.ts';
import { PageBar } from './PageBar.tsx';
import { linkTo, mayDo } from './rows.ts';
import { texts } from './texts.ts';
import { useDocumentCount, useDocuments } from './useDocuments.ts';
import { useDownload } from './useDownload.ts';

const DocumentDialog = laterDialog(async () => (await import('./DocumentDialog.tsx')).DocumentDialog);
const BinDialog = laterDialog(async () => (await import('./BinDialog.tsx')).BinDialog);

type Props = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  sort: SortKey;
  onSort: (sort: SortKey) => void;
  open: DocumentRow | null;
  /** True while the document named in the link is being read; until then, the actions on it are unknown. */
  opening: boolean;
  onOpen: (id: string | null) => void;
};

type Editing =
  | { kind: 'create'; dropped?: File }
  | { kind: 'bin' }
  | { kind: 'edit' | 'delete'; rows: readonly [DocumentRow] };

const words = texts.toolbar;
const columns = { all: documentColumns, narrow: narrowColumns, phone: phoneColumns };

/** Panel with the toolbar, filters, table and pages of the documents, and the actions on them. */
export function DocumentsPanel({ filter, onFilter, sort, onSort, open, opening, onOpen }: Props) {
  const actor = useActor();
  const { show } = useSnackbar();
  const { offlineSince } = useEvents();
  const listed = useDocuments(filter, sort);
  const filtered = Object.keys(commonQuery(filter)).length > 0;
  const all = useDocumentCount(noFilter, filtered);
  const download = useDownload();
  const { share, popover } = useShare();
  const { documents } = listed;
  const list = useItemList({ rows: documents, columns, storageKey: storageKeys.documentColumns });
  const { selection } = list;
  const [editing, setEditing] = useEditing<Editing>('documents', () => show(texts.viewer.gone, 'warning'));
  const close = () => setEditing(null);
  const mayAdd = can(actor, 'document.createAny').allowed;

  function withOpen(act: (row: DocumentRow) => void) {
    if (open === null) show(words.none, 'warning');
    else act(open);
  }

  async function takeDropped(items: DataTransferItemList) {
    const found = await filesOf(entriesOf(items), 1).catch(() => null);
    if (found === null) return show(texts.dialog.unreadable, 'error');
    const [first] = found;
    if (first === undefined) return show(texts.dialog.noFile, 'warning');
    if (found.length > 1) show(fill(texts.dialog.oneFile, { name: first.file.name }), 'warning');
    setEditing({ kind: 'create', dropped: first.file });
  }

  const actionsOf = (row: DocumentRow) => (
    <>
      <AddToCase title={row.title} of={() => collectedDocuments([row])} />
      <Action
        label={fill(texts.row.download, { title: row.title })}
        icon={mdiDownload}
        disabled={!mayDo(actor, 'document.download', row)}
        onClick={() => void download(row)}
      />
      <Action
        label={fill(texts.row.share, { title: row.title })}
        icon={mdiShareVariantOutline}
        onClick={() => share(linkTo(row))}
      />
      <Action
        label={fill(texts.row.edit, { title: row.title })}
        icon={mdiPencilOutline}
        disabled={!mayDo(actor, 'document.update', row)}
        onClick={() => setEditing({ kind: 'edit', rows: [row] })}
      />
      <Action
        label={fill(texts.row.remove, { title: row.title })}
        icon={mdiTrashCanOutline}
        disabled={!mayDo(actor, 'document.delete', row)}
        onClick={() => setEditing({ kind: 'delete', rows: [row] })}
      />
    </>
  );

  return (
    <ItemList
      texts={texts}
      icon={mdiFileDocumentMultipleOutline}
      list={list}
      listed={listed}
      isOffline={offlineSince !== null}
      nameOf={({ title }) => title}
      openId={open?._id ?? null}
      onOpen={({ _id }) => onOpen(_id)}
      // Several documents can be selected only to add them to a case; a small screen has no room for this.
      mayChoose={mayAdd && !list.isNarrow ? () => true : null}
      // The specification has all columns from 960 px on.
      scrolls={open === null}
      actions={list.isPhone || open !== null ? null : { width: 152, of: actionsOf }}
      sort={sort}
      onSort={onSort}
      startsDown={['creationTime']}
      search={filter.search}
      onSearch={(search) => onFilter({ ...filter, search })}
      hidden={filtered ? { texts: texts.filteredEmpty, onClear: () => onFilter(noFilter) } : null}
      onCreate={mayAdd ? () => setEditing({ kind: 'create' }) : null}
      onBin={can(actor, 'document.bin').allowed ? () => setEditing({ kind: 'bin' }) : null}
      tools={
        <>
          <Action
            label={words.download}
            icon={mdiDownload}
            disabled={opening}
            onClick={() => withOpen((row) => void download(row))}
          />
          <Action
            label={words.edit}
            icon={mdiPencilOutline}
            disabled={opening || (open !== null && !mayDo(actor, 'document.update', open))}
            onClick={() => withOpen((row) => setEditing({ kind: 'edit', rows: [row] }))}
          />
          <Action
            label={words.remove}
            icon={mdiTrashCanOutline}
            disabled={opening || (open !== null && !mayDo(actor, 'document.delete', open))}
            onClick={() => withOpen((row) => setEditing({ kind: 'delete', rows: [row] }))}
          />
        </>
      }
      bulk={<AddToCase look="button" of={() => collectedDocuments(selection.chosen)} onAdded={selection.clear} />}
      filters={
        <DocumentFilterBar filter={filter} onChange={onFilter} count={listed.total} all={filtered ? all : null} />
      }
      below={<PageBar listed={listed} />}
    >
      {editing?.kind === 'delete' && (
        <DeleteDocument
          document={editing.rows[0]}
          onClose={close}
          onDeleted={(id) => id === open?._id && onOpen(null)}
        />
      )}
      {editing?.kind === 'bin' && <BinDialog onClose={close} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <DocumentDialog
          document={editing.kind === 'edit' ? editing.rows[0] : null}
          {...(editing.kind === 'create' && editing.dropped && { dropped: editing.dropped })}
          onClose={close}
        />
      )}
      {mayAdd && <PageDrop over={texts.dialog.dropOnPage} onItems={(items) => void takeDropped(items)} />}
      {popover}
    </ItemList>
  );
}
