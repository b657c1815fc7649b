import { mdiDeleteForeverOutline, mdiRestore, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, Typography, useMediaQuery } from '@mui/material';
import { type BinnedMission, can, emptyBin, listBin, restoreMissions } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatNumber, formatSize, formatTime, namesText } from '../base/format.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { Column, Sorting } from '../ui/table/data-table.ts';
import { allOrSome, noChoice, PHONE_ROW } from '../ui/table/listing.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { texts } from './texts.ts';

const words = texts.bin;
const POLL_MS = 5000;
const none: BinnedMission[] = [];
const sorting: Sorting = { column: 'deleted', descending: true };

function groupsOf({ audience, usergroups }: BinnedMission): string {
  if (audience === 'everyone') return words.everyone;
  return usergroups.length === 0 ? words.nobody : usergroups.join(', ');
}

const columns: readonly Column<BinnedMission>[] = [
  { id: 'name', header: words.columns.name, width: 180, grow: 2, cell: ({ name }) => <b>{name}</b> },
  {
    id: 'label',
    priority: 2,
    header: words.columns.label,
    width: 136,
    cell: ({ securityClassification, marked }) => <LabelMark label={securityClassification} marked={marked} />,
  },
  { id: 'usergroups', header: words.columns.usergroups, width: 140, grow: 1, cell: groupsOf },
  {
    id: 'sensors',
    header: words.columns.sensors,
    width: 84,
    align: 'right',
    cell: ({ sensors }) => formatNumber(sensors),
  },
  { id: 'size', header: words.columns.size, width: 96, align: 'right', cell: ({ sizeBytes }) => formatSize(sizeBytes) },
  { id: 'deleted', header: words.columns.deleted, width: 156, cell: ({ deletedTime }) => formatTime(deletedTime) },
  { id: 'by', header: words.columns.by, width: 120, cell: ({ deletedBy }) => deletedBy ?? words.byRule },
  { id: 'end', header: words.columns.end, width: 156, cell: ({ endTime, heldBy }) => heldBy ?? formatTime(endTime) },
];
/** Columns on a phone: the time of deletion is shown below the name. */
const narrowColumns: readonly Column<BinnedMission>[] = [
  {
    ...columns[0]!,
    width: 120,
    cell: ({ name, deletedTime }) => (
      <>
        <b>{name}</b>
        <Box sx={{ color: 'text.secondary', fontSize: 12, lineHeight: '16px' }}>{formatTime(deletedTime)}</Box>
      </>
    ),
  },
  columns[1]!,
];

/** Panel with the deleted missions, which can be restored, or removed before their time. */
export function BinPanel() {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const [removing, setRemoving] = useState<readonly BinnedMission[] | null>(null);
  const query = useQuery({
    queryKey: ['bin'],
    queryFn: ({ signal }) => api.call(listBin, {}, { signal }),
    // The bin is read at an interval, since no event reports its changes.
    refetchInterval: POLL_MS,
  });
  const missions = query.data ?? none;
  const selection = useSelection(missions);
  useShownLabels(useMemo(() => missions.map((one) => one.securityClassification), [missions]));
  const ids = (chosen: readonly BinnedMission[]) => chosen.map(({ _id }) => _id);

  async function change(work: () => Promise<unknown>, done: string) {
    try {
      await work();
      show(done);
      selection.clear();
    } catch (error) {
      show(errorText(error), 'error');
    }
    setRemoving(null);
    await queries.invalidateQueries({ queryKey: ['bin'] });
    await queries.invalidateQueries({ queryKey: ['missions'] });
  }

  const restore = (chosen: readonly BinnedMission[]) =>
    change(
      () => inParts(ids(chosen), (part) => api.call(restoreMissions, { body: { missions: part } })),
      fill(formatCount(chosen.length, words.restored), { names: namesText(chosen) }),
    );

  return (
    <>
      <Typography variant="body2" sx={{ color: 'text.secondary', px: 4, py: 2 }}>
        {words.lead}
      </Typography>
      <Box sx={{ flex: 1, minHeight: 0 }}>
        <DataTable
          label={words.label}
          columns={narrow ? narrowColumns : columns}
          rows={missions}
          traits={({ _id, name }) => ({ id: _id, name, level: 1, checked: selection.chosenIds.has(_id) })}
          sorting={sorting}
          onSort={() => undefined}
          choice={noChoice}
          onWidth={() => undefined}
          onOpen={({ _id }) => selection.toggle(_id, false)}
          onToggle={() => undefined}
          onCheck={({ _id }, extend) => selection.toggle(_id, extend)}
          onCheckAll={selection.all}
          checkedAll={allOrSome(selection.chosen.length, missions.length)}
          total={missions.length}
          loading={query.isPending}
          {...(narrow && { rowHeight: PHONE_ROW })}
          roomBelow={selection.chosen.length > 0 ? 64 : 0}
        >
          {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
          {query.isSuccess && missions.length === 0 && (
            <Notice icon={mdiTrashCanOutline} title={words.empty} text={words.emptyText} />
          )}
        </DataTable>
      </Box>
      {selection.chosen.length > 0 && (
        <BulkBar count={selection.chosen.length} onClear={selection.clear}>
          <Button variant="text" startIcon={<Icon path={mdiRestore} />} onClick={() => void restore(selection.chosen)}>
            {words.restore}
          </Button>
          {can(actor, 'bin.empty').allowed && (
            <Button
              variant="text"
              color="error"
              startIcon={<Icon path={mdiDeleteForeverOutline} />}
              onClick={() => setRemoving(selection.chosen)}
            >
              {words.remove}
            </Button>
          )}
        </BulkBar>
      )}
      {removing && (
        <ConfirmDialog
          title={fill(removing.length === 1 ? words.removeTitleOne : words.removeTitle, {
            name: removing[0]?.name ?? '',
            count: removing.length,
          })}
          mark={<HighestMark items={removing} />}
          confirmText={words.remove}
          danger
          onCancel={() => setRemoving(null)}
          onConfirm={() =>
            void change(
              () => api.call(emptyBin, { body: { missions: ids(removing) } }),
              fill(formatCount(removing.length, words.removed), { names: namesText(removing) }),
            )
          }
        >
          {fill(words.removeText, {
            names: namesText(removing),
            size: formatSize(removing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)),
          })}
        </ConfirmDialog>
      )}
    </>
  );
}
