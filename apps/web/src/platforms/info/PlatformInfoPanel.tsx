import { mdiQuadcopter } from '@mdi/js';
import { Box, Typography, useMediaQuery } from '@mui/material';
import { can, type LivePlatform, type Usergroup } from '@osprey/contract';
import { useMemo, useState } from 'react';
import { useActor } from '../../api/session.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { plainText } from '../../base/format.ts';
import { useShownLabels } from '../../base/shown-labels.ts';
import { useEvents } from '../../events/events.ts';
import { PageLink } from '../../ui/Card.tsx';
import { SearchField } from '../../ui/filter/SearchField.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { Notice } from '../../ui/notice/Notice.tsx';
import { Swatch } from '../../ui/Swatch.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { Column } from '../../ui/table/data-table.ts';
import { noChoice } from '../../ui/table/listing.ts';
import { TablePanel } from '../../ui/table/TablePanel.tsx';
import { noFilter } from '../filter.ts';
import { arranged, factsOf } from '../rows.ts';
import { texts as platformTexts } from '../texts.ts';
import { useLivePlatforms } from '../useLivePlatforms.ts';
import { usePlatformsView } from '../usePlatformsView.ts';
import { PlatformGroupsDialog } from './PlatformGroupsDialog.tsx';
import { texts } from './texts.ts';

const names = texts.columns;
const ignore = () => undefined;

function groupsText({ audience, usergroups }: LivePlatform, groups: readonly Usergroup[]): string {
  if (audience === 'everyone') return texts.everyone;
  if (usergroups.length === 0) return texts.nobody;
  return usergroups.map((id) => groups.find(({ _id }) => _id === id)?.name ?? texts.unknownGroup).join(', ');
}

const columnsOf = (groups: readonly Usergroup[]): readonly Column<LivePlatform>[] => [
  {
    id: 'name',
    header: names.name,
    width: 140,
    grow: 1,
    sortable: true,
    cell: ({ name, presentation }) => (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, fontWeight: 600 }} title={name}>
        <Swatch color={presentation.color} />
        {name}
      </Box>
    ),
  },
  {
    id: 'description',
    header: names.description,
    width: 160,
    grow: 2,
    sortable: true,
    cell: ({ description }) => <span title={plainText(description)}>{plainText(description)}</span>,
  },
  {
    id: 'label',
    priority: 2,
    header: names.label,
    width: 136,
    cell: ({ securityClassification, marked }) => <LabelMark label={securityClassification} marked={marked} />,
  },
  {
    id: 'usergroups',
    header: names.usergroups,
    width: 140,
    grow: 2,
    cell: (platform) => <span title={groupsText(platform, groups)}>{groupsText(platform, groups)}</span>,
  },
];

/** Table of the readers of each platform; clicking a row opens its user groups. */
export function PlatformInfoPanel() {
  const actor = useActor();
  const groups = useUsergroups();
  const { offlineSince } = useEvents();
  const { platforms, loading, error, refetch } = useLivePlatforms();
  const { filter, setSearch, sorting, sortBy } = usePlatformsView();
  const { search } = filter;
  const [edited, setEdited] = useState<LivePlatform | null>(null);
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const rows = useMemo(() => arranged(platforms, { ...noFilter, search }, sorting), [platforms, search, sorting]);
  useShownLabels(useMemo(() => rows.map((platform) => platform.securityClassification), [rows]));
  const columns = useMemo(
    () => columnsOf(groups).filter(({ id }) => !narrow || id === 'name' || id === 'usergroups'),
    [groups, narrow],
  );
  const mayEdit = (platform: LivePlatform) => can(actor, 'platform.control', factsOf(platform)).allowed;

  return (
    <>
      <TablePanel
        label={texts.title}
        tabs={
          <Typography variant="h2" component="p" sx={{ px: 2 }}>
            {texts.title}
          </Typography>
        }
        tools={
          <>
            <PageLink to="/platforms" icon={mdiQuadcopter}>
              {texts.toPlatforms}
            </PageLink>
            <SearchField label={texts.search} value={search} onChange={setSearch} />
          </>
        }
        faded={offlineSince !== null}
      >
        <DataTable
          label={texts.title}
          columns={columns}
          rows={rows}
          traits={({ _id, name }) => ({ id: _id, name, level: 1, open: _id === edited?._id })}
          sorting={sorting}
          onSort={sortBy}
          choice={noChoice}
          onWidth={ignore}
          onOpen={(platform) => mayEdit(platform) && setEdited(platform)}
          onToggle={ignore}
          total={rows.length}
          loading={loading}
        >
          {error !== null && <FailedNotice title={platformTexts.failed.title} error={error} onRetry={refetch} />}
          {error === null && !loading && rows.length === 0 && (
            <Notice icon={mdiQuadcopter} title={platformTexts.empty.title} text={platformTexts.empty.text} />
          )}
        </DataTable>
      </TablePanel>
      {edited && <PlatformGroupsDialog platform={edited} groups={groups} onClose={() => setEdited(null)} />}
    </>
  );
}
