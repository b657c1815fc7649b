import { mdiAccountGroupOutline, mdiPlus } from '@mdi/js';
import { Box, Button, useMediaQuery } from '@mui/material';
import { classificationRank, DEMO_GROUP, listUsergroups, type Usergroup, usersEvent } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useApi } from '../api/api.ts';
import { formatCount, formatNumber, formatTime } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { useEvents, useServerEvent } from '../events/events.ts';
import { REPLACE_NOW } from '../ui/at-once.ts';
import { forgetTyped } from '../ui/dialog/typed.ts';
import { SearchField } from '../ui/filter/SearchField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import { DetailGone } from '../ui/table/DetailGone.tsx';
import { type Column, type Sorting, sortedBy } from '../ui/table/data-table.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { GroupDetail } from './GroupDetail.tsx';
import { CreateGroupDialog, RemoveGroup } from './GroupDialogs.tsx';
import { texts } from './texts.ts';

const words = texts.columns;

const modesText = ({ liveModes }: Usergroup): string =>
  liveModes.length === 0 ? texts.hlsOnly : liveModes.map((mode) => texts.liveModes[mode]).join(', ');

const columns: readonly (Column<Usergroup> & { compared: (group: Usergroup) => string | number })[] = [
  {
    id: 'name',
    header: words.name,
    width: 160,
    grow: 1,
    sortable: true,
    compared: ({ name }) => name.toLowerCase(),
    cell: ({ name }) => (
      <Box component="span" sx={{ fontWeight: 600 }}>
        {name}
      </Box>
    ),
  },
  {
    id: 'description',
    header: words.description,
    width: 160,
    grow: 2,
    sortable: true,
    compared: ({ description }) => description.toLowerCase(),
    cell: ({ description }) => description,
  },
  {
    id: 'classification',
    header: words.classification,
    width: 140,
    sortable: true,
    compared: ({ securityClassification }) => classificationRank(securityClassification),
    cell: ({ securityClassification }) => <LabelMark label={securityClassification} />,
  },
  { id: 'liveModes', header: words.liveModes, width: 150, sortable: true, compared: modesText, cell: modesText },
  {
    id: 'users',
    header: words.users,
    width: 84,
    align: 'right',
    sortable: true,
    compared: ({ users = 0 }) => users,
    cell: ({ users }) => formatNumber(users),
  },
  {
    id: 'created',
    header: words.created,
    width: 170,
    sortable: true,
    compared: ({ created }) => created,
    cell: ({ created }) => formatTime(created),
  },
];

const narrowColumns = columns.filter(({ id }) => id === 'name' || id === 'classification');

/** Filters and sorts the groups in the browser, since there are only few. */
function arranged(groups: readonly Usergroup[], search: string, { column, descending }: Sorting): Usergroup[] {
  const needle = search.toLowerCase();
  const found = groups.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(needle));
  const compared = columns.find(({ id }) => id === column)?.compared;
  return compared ? sortedBy(found, compared, descending) : found;
}

type Asked = { kind: 'create' } | { kind: 'remove'; group: Usergroup };

/** Table of the user groups: their ceilings, their modes of live video, and their members. */
export function GroupsPanel({ tabs }: { tabs: ReactNode }) {
  const api = useApi();
  const queries = useQueryClient();
  const { offlineSince } = useEvents();
  const [query, setQuery] = useSearchParams();
  const [sorting, setSorting] = useState<Sorting>({ column: 'name', descending: false });
  const [asked, setAsked] = useState<Asked | null>(null);
  const choice = useColumnChoice(storageKeys.groupColumns);
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const medium = useMediaQuery('(max-width: 959.95px)');
  const listed = useQuery({
    queryKey: ['usergroups', 'counted'],
    queryFn: ({ signal }) => api.call(listUsergroups, { query: { count: '1' } }, { signal }),
  });
  // Members that joined or left change the counts.
  useServerEvent(usersEvent, () => void queries.invalidateQueries({ queryKey: ['usergroups', 'counted'] }));

  const search = query.get('search') ?? '';
  const openId = query.get('group');
  const set = (key: string, value: string | null) =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(key, value);
      else next.delete(key);
      return next;
    }, REPLACE_NOW);
  const rows = useMemo(() => arranged(listed.data ?? [], search, sorting), [listed.data, search, sorting]);
  const open = listed.data?.find(({ _id }) => _id === openId);
  const isGone = listed.data !== undefined && openId !== null && open === undefined;
  const count = formatCount(rows.length, texts.count);

  return (
    <>
      {!(medium && (open || isGone)) && (
        <TablePanel
          label={texts.title}
          tabs={tabs}
          faded={offlineSince !== null}
          tools={
            <>
              <Box role="status" sx={{ color: 'text.secondary' }}>
                {listed.data && count}
              </Box>
              <SearchField label={texts.search} value={search} onChange={(text) => set('search', text)} />
              <Button
                variant="contained"
                color="primary"
                startIcon={<Icon path={mdiPlus} />}
                aria-label={texts.addLabel}
                onClick={() => setAsked({ kind: 'create' })}
              >
                {texts.add}
              </Button>
            </>
          }
        >
          <DataTable
            label={texts.title}
            columns={narrow ? narrowColumns : columns}
            rows={rows}
            traits={({ _id, name }) => ({ id: _id, name, level: 1, open: _id === openId })}
            sorting={sorting}
            onSort={(column) =>
              setSorting((before) => ({ column, descending: before.column === column && !before.descending }))
            }
            choice={choice.choice}
            onWidth={choice.setWidth}
            onOpen={({ _id }) => set('group', _id)}
            onToggle={({ _id }) => set('group', _id)}
            total={rows.length}
            loading={listed.isPending}
          >
            {listed.isError && <FailedNotice title={texts.failed} error={listed.error} onRetry={listed.refetch} />}
            {listed.data && rows.length === 0 && (
              <Notice icon={mdiAccountGroupOutline} title={texts.empty.title} text={texts.empty.text} />
            )}
          </DataTable>
        </TablePanel>
      )}
      {open && (
        <GroupDetail
          key={open._id}
          group={open}
          onClose={() => set('group', null)}
          onRemove={() => open.name !== DEMO_GROUP && setAsked({ kind: 'remove', group: open })}
        />
      )}
      {isGone && (
        <DetailGone
          icon={mdiAccountGroupOutline}
          text={texts.detail.gone}
          closeText={texts.detail.close}
          width={440}
          onClose={() => set('group', null)}
        />
      )}
      {asked?.kind === 'create' && (
        <CreateGroupDialog
          onClose={() => setAsked(null)}
          onMade={({ _id }) => {
            setAsked(null);
            set('group', _id);
          }}
        />
      )}
      {asked?.kind === 'remove' && (
        <RemoveGroup
          group={asked.group}
          onClose={() => setAsked(null)}
          onRemoved={() => {
            forgetTyped();
            set('group', null);
          }}
        />
      )}
    </>
  );
}
