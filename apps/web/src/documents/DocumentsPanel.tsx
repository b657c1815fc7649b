import {
  mdiDeleteClockOutline,
  mdiDownload,
  mdiFileDocumentMultipleOutline,
  mdiPencilOutline,
  mdiPlus,
  mdiShareVariantOutline,
  mdiTrashCanOutline,
} from '@mdi/js';
import { Box, Button, Typography, useMediaQuery } from '@mui/material';
import { can, type DocumentRow, revokedEvent } from '@osprey/contract';
import { useMemo, useState } from 'react';
import { useActor } from '../api/session.ts';
import { entriesOf, filesOf } from '../base/dropped-files.ts';
import { fill } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { size } from '../base/sizes.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { collectedDocuments } from '../cases/add/collected.ts';
import { useServerEvent } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { commonQuery } from '../ui/filter/query-filter.ts';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { PageDrop } from '../ui/PageDrop.tsx';
import { useShare } from '../ui/share/useShare.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { ColumnsMenu } from '../ui/table/ColumnsMenu.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { InPlaceOfRows } from '../ui/table/InPlaceOfRows.tsx';
import { allOrSome, nextSort, noChoice, PHONE_ROW, sortingOf } from '../ui/table/listing.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
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
  /** The document that the link names is being read: until it is there its actions are not known. */
  opening: boolean;
  onOpen: (id: string | null) => void;
};

type Editing =
  | { kind: 'create'; dropped?: File }
  | { kind: 'bin' }
  | { kind: 'edit' | 'delete'; document: DocumentRow };

const words = texts.toolbar;

/** Toolbar, filters, table and pages of the documents, and what can be done with them. */
export function DocumentsPanel({ filter, onFilter, sort, onSort, open, opening, onOpen }: Props) {
  const actor = useActor();
  const { show } = useSnackbar();
  const listed = useDocuments(filter, sort);
  const filtered = Object.keys(commonQuery(filter)).length > 0;
  const all = useDocumentCount(noFilter, filtered);
  const columns = useColumnChoice(storageKeys.documentColumns);
  const download = useDownload();
  const { share, popover } = useShare();
  const [editing, setEditing] = useState<Editing | null>(null);
  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    // A document that can no longer be read leaves the dialogs too.
    if (noun !== 'documents' || !editing || !('document' in editing)) return;
    if (all !== true && !ids.includes(editing.document._id)) return;
    setEditing(null);
    // No message about the own deletion.
    if (editing.kind !== 'delete') show(texts.viewer.gone, 'warning');
  });
  const narrow = useMediaQuery('(max-width: 959.95px)');
  const phone = useMediaQuery('(max-width: 599.95px)');
  const { documents } = listed;
  const selection = useSelection(documents);
  useShownLabels(useMemo(() => documents.map((row) => row.securityClassification), [documents]));

  const shownColumns = useMemo(() => {
    if (phone) return phoneColumns;
    return (narrow ? narrowColumns : documentColumns).filter(({ id }) => !columns.choice.hidden.includes(id));
  }, [phone, narrow, columns.choice.hidden]);
  const mayAdd = can(actor, 'document.createAny').allowed;
  // Several are chosen for a case; a small screen has no room for it.
  const mayChoose = mayAdd && !narrow;

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

  const sortBy = (column: string) => onSort(nextSort(sort, column, ['creationTime']));

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
        onClick={() => setEditing({ kind: 'edit', document: row })}
      />
      <Action
        label={fill(texts.row.remove, { title: row.title })}
        icon={mdiTrashCanOutline}
        disabled={!mayDo(actor, 'document.delete', row)}
        onClick={() => setEditing({ kind: 'delete', document: row })}
      />
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
      faded={listed.stale}
      filters={
        <DocumentFilterBar filter={filter} onChange={onFilter} count={listed.total} all={filtered ? all : null} />
      }
      below={<PageBar listed={listed} />}
      tools={
        <>
          <SearchField
            label={texts.search}
            value={filter.search}
            onChange={(search) => onFilter({ ...filter, search })}
          />
          <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
            <ColumnsMenu
              columns={narrow ? narrowColumns : documentColumns}
              hidden={columns.choice.hidden}
              onToggle={columns.toggle}
              onReset={columns.reset}
            />
          </Box>
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
            onClick={() => withOpen((document) => setEditing({ kind: 'edit', document }))}
          />
          <Action
            label={words.remove}
            icon={mdiTrashCanOutline}
            disabled={opening || (open !== null && !mayDo(actor, 'document.delete', open))}
            onClick={() => withOpen((document) => setEditing({ kind: 'delete', document }))}
          />
          {can(actor, 'document.bin').allowed && (
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
        columns={shownColumns}
        rows={documents}
        traits={(row) => ({
          id: row._id,
          name: row.title,
          level: 1,
          open: row._id === open?._id,
          ...(mayChoose && { checked: selection.chosenIds.has(row._id) }),
        })}
        sorting={sortingOf(sort)}
        onSort={sortBy}
        choice={narrow ? noChoice : columns.choice}
        onWidth={columns.setWidth}
        onOpen={(row) => onOpen(row._id)}
        onToggle={() => undefined}
        {...(mayChoose && {
          onCheck: (row: DocumentRow, extend: boolean) => selection.toggle(row._id, extend),
          onCheckAll: selection.all,
          checkedAll: allOrSome(selection.chosen.length, documents.length),
        })}
        {...(!phone && open === null && { actions: { width: 152, of: actionsOf } })}
        total={listed.total}
        loading={listed.loading}
        rowHeight={phone ? PHONE_ROW : size.row}
      >
        <InPlaceOfRows
          listed={listed}
          shown={documents.length}
          failed={texts.failed}
          filtered={filtered ? { texts: texts.filteredEmpty, onClear: () => onFilter(noFilter) } : null}
        >
          <Notice
            icon={mdiFileDocumentMultipleOutline}
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
          <AddToCase look="button" of={() => collectedDocuments(selection.chosen)} onAdded={selection.clear} />
        </BulkBar>
      )}
      {editing?.kind === 'delete' && (
        <DeleteDocument
          document={editing.document}
          onClose={() => setEditing(null)}
          onDeleted={(id) => id === open?._id && onOpen(null)}
        />
      )}
      {editing?.kind === 'bin' && <BinDialog onClose={() => setEditing(null)} />}
      {(editing?.kind === 'create' || editing?.kind === 'edit') && (
        <DocumentDialog
          document={editing.kind === 'edit' ? editing.document : null}
          {...(editing.kind === 'create' && editing.dropped && { dropped: editing.dropped })}
          onClose={() => setEditing(null)}
        />
      )}
      {mayAdd && <PageDrop over={texts.dialog.dropOnPage} onItems={(items) => void takeDropped(items)} />}
      {popover}
    </TablePanel>
  );
}
