import { mdiMovieOpenOutline, mdiPencilOutline, mdiTrashCanOutline, mdiTrayArrowDown } from '@mdi/js';
import { Box, Menu, MenuItem, useMediaQuery } from '@mui/material';
import { type Clip, type ClipContainer, clipContainers } from '@osprey/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { fill, formatCount } from '../base/format.ts';
import { AddToCase } from '../cases/add/AddToCase.tsx';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { type Sorting, sortedBy } from '../ui/table/data-table.ts';
import { allOrSome, noChoice } from '../ui/table/listing.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useSelection } from '../ui/table/useSelection.ts';
import { ClipDialog } from './ClipDialog.tsx';
import { type ClipsView, useClipsView } from './clips-view.ts';
import { collectedClips } from './collected.ts';
import { clipColumns, fewColumns, isGone, orderOf } from './columns.tsx';
import { texts } from './texts.ts';
import { useClipActs } from './useClipActs.ts';
import { useClips } from './useClips.ts';

type Props = { tabs: ReactNode; panel: TabPanelProps };

/** Panel below the stage with the clips of the open mission as a table. */
export function ClipsPanel({ tabs, panel }: Props) {
  const view = useClipsView();
  if (view !== null) return <Listed key={view.mission._id} view={view} tabs={tabs} panel={panel} />;
  return (
    <TablePanel label={texts.tab} tabs={tabs} tools={null}>
      <Box {...panel} sx={{ height: '100%', overflowY: 'auto' }}>
        <Notice icon={mdiMovieOpenOutline} title={texts.closed.title} text={texts.closed.text} />
      </Box>
    </TablePanel>
  );
}

const ROW_PX = 40;
const named = ({ title }: Clip) => ({ title });

function Listed({ view, tabs, panel }: Props & { view: ClipsView }) {
  const { clips, loading, error, refetch } = useClips(view.mission._id);
  const { save, remove } = useClipActs();
  const [sorting, setSorting] = useState<Sorting>({ column: 'start', descending: false });
  const [open, setOpen] = useState<string | null>(null);
  const [editing, setEditing] = useState<Clip | null>(null);
  const [exporting, setExporting] = useState<{ clip: Clip; anchor: HTMLElement } | null>(null);
  const [removing, setRemoving] = useState<Clip | null>(null);
  const narrow = useMediaQuery('(max-width: 959.95px)');
  const rows = useMemo(() => sortedBy(clips, orderOf(sorting.column), sorting.descending), [clips, sorting]);
  const selection = useSelection(rows);
  // Clips can be selected by users who may export, since these can also have cases; on a phone the space is needed for
  // the texts.
  const mayChoose = view.mayExport && !narrow;

  function go({ _id, startTime }: Clip) {
    setOpen(_id);
    view.clock.seek(startTime);
  }

  async function exportAs(container: ClipContainer) {
    if (exporting === null) return;
    setExporting(null);
    const id = await save(exporting.clip, container);
    if (id !== null) view.onOrdered(id);
  }

  return (
    <TablePanel
      label={texts.tab}
      tabs={tabs}
      tools={
        <Box component="span" aria-live="polite" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {!loading && formatCount(clips.length, texts.count)}
        </Box>
      }
    >
      <Box {...panel} sx={{ height: '100%' }}>
        <DataTable
          label={texts.tab}
          columns={narrow ? fewColumns : clipColumns}
          rows={rows}
          traits={({ _id, title }) => ({
            id: _id,
            name: title,
            level: 1,
            open: _id === open,
            ...(mayChoose && { checked: selection.chosenIds.has(_id) }),
          })}
          sorting={sorting}
          onSort={(column) =>
            setSorting((before) => ({ column, descending: before.column === column && !before.descending }))
          }
          choice={noChoice}
          onWidth={() => undefined}
          onOpen={go}
          onWalk={go}
          onToggle={() => undefined}
          {...(mayChoose && { onCheck: ({ _id }: Clip, extend: boolean) => selection.toggle(_id, extend) })}
          onCheckAll={selection.all}
          checkedAll={allOrSome(selection.chosen.length, rows.length)}
          actions={{
            width: 148,
            of: (row) => (
              <>
                <AddToCase title={row.title} of={() => collectedClips([row], view.mission)} />
                {view.mayExport && !isGone(row) && (
                  <Action
                    label={fill(texts.row.export, named(row))}
                    icon={mdiTrayArrowDown}
                    onClick={(event) => setExporting({ clip: row, anchor: event.currentTarget })}
                  />
                )}
                {row.editable && (
                  <>
                    <Action
                      label={fill(texts.row.edit, named(row))}
                      icon={mdiPencilOutline}
                      onClick={() => setEditing(row)}
                    />
                    <Action
                      label={fill(texts.row.remove, named(row))}
                      icon={mdiTrashCanOutline}
                      onClick={() => setRemoving(row)}
                    />
                  </>
                )}
              </>
            ),
          }}
          total={loading ? null : rows.length}
          loading={loading}
          rowHeight={ROW_PX}
          {...(selection.chosen.length > 0 && { roomBelow: 56 })}
        >
          {error !== null && clips.length === 0 && (
            <FailedNotice title={texts.unread} error={error} onRetry={refetch} />
          )}
          {!loading && error === null && clips.length === 0 && (
            <Notice
              icon={mdiMovieOpenOutline}
              title={texts.empty.title}
              text={view.mayExport ? texts.empty.text : texts.empty.guest}
            />
          )}
        </DataTable>
      </Box>
      <Menu anchorEl={exporting?.anchor ?? null} open={exporting !== null} onClose={() => setExporting(null)}>
        {clipContainers.map((container) => (
          <MenuItem key={container} onClick={() => void exportAs(container)}>
            {texts.formats[container]}
          </MenuItem>
        ))}
      </Menu>
      {selection.chosen.length > 0 && (
        <BulkBar count={selection.chosen.length} onClear={selection.clear}>
          <AddToCase
            look="button"
            of={() => collectedClips(selection.chosen, view.mission)}
            onAdded={selection.clear}
          />
        </BulkBar>
      )}
      {editing && <ClipDialog mission={view.mission} clip={editing} onClose={() => setEditing(null)} />}
      {removing && (
        <ConfirmDialog
          title={fill(texts.removeTitle, named(removing))}
          mark={<ShownMark label={view.mission.securityClassification} marked={view.mission.marked} />}
          confirmText={texts.remove}
          danger
          onCancel={() => setRemoving(null)}
          onConfirm={() => {
            setRemoving(null);
            void remove(removing);
          }}
        >
          {texts.removeText}
        </ConfirmDialog>
      )}
    </TablePanel>
  );
}
