import { Box, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { type ActivityRow, type AuditRow, can, listActivity, listAudit } from '@osprey/contract';
import { type ReactNode, useMemo } from 'react';
import { useActor } from '../api/session.ts';
import { usePages } from '../api/usePages.ts';
import { storageKeys } from '../base/keys.ts';
import { useEvents } from '../events/events.ts';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { ActivityFilterBar } from './ActivityFilterBar.tsx';
import { activityColumns, auditColumns } from './rows.tsx';
import { SessionsTable } from './SessionsTable.tsx';
import { TrailTable } from './TrailTable.tsx';
import { TrailTools } from './TrailTools.tsx';
import { texts } from './texts.ts';
import {
  type Filter,
  isFiltered,
  noFilter,
  toAuditQuery,
  toQuery,
  useActivityFilter,
  type View,
  views,
} from './useActivityFilter.ts';

const POLL_MS = 5000;

type ViewProps = { tabs: ReactNode; filter: Filter; onFilter: (filter: Filter) => void };

/** Panel with the activity of accounts, the current sessions, and the audit. */
export function ActivityPanel({ tabs }: { tabs: ReactNode }) {
  const actor = useActor();
  const { filter, setFilter, view, setView } = useActivityFilter();
  const shown = views.filter((one) => one !== 'audit' || can(actor, 'audit.read').allowed);
  const choice = (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      {tabs}
      <ToggleButtonGroup
        exclusive
        size="small"
        value={view}
        aria-label={texts.views.label}
        onChange={(_event, next: View | null) => next && setView(next)}
      >
        {shown.map((one) => (
          <ToggleButton key={one} value={one} sx={{ px: 3, height: 28, textTransform: 'none' }}>
            {texts.views[one]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </Box>
  );
  const props = { tabs: choice, filter, onFilter: setFilter };
  if (view === 'sessions') return <SessionsView tabs={choice} users={filter.users} />;
  return view === 'audit' && shown.includes('audit') ? <AuditView {...props} /> : <ActivityView {...props} />;
}

function SessionsView({ tabs, users }: { tabs: ReactNode; users: readonly string[] }) {
  const { offlineSince } = useEvents();
  return (
    <TablePanel label={texts.views.sessions} tabs={tabs} tools={null} faded={offlineSince !== null}>
      <SessionsTable users={users} />
    </TablePanel>
  );
}

function ActivityView({ tabs, filter, onFilter }: ViewProps) {
  const { offlineSince } = useEvents();
  const query = toQuery(filter);
  const listed = usePages<ActivityRow>({
    queryKey: ['activity', query],
    read: (api, page, options) => api.call(listActivity, { query: { ...query, ...page } }, options),
    everyMs: POLL_MS,
  });
  const columns = useMemo(() => activityColumns((item) => onFilter({ ...filter, item })), [filter, onFilter]);
  return (
    <TablePanel
      label={texts.title}
      tabs={tabs}
      tools={<TrailTools view="activity" filter={filter} onRefresh={() => void listed.refetch()} />}
      filters={<ActivityFilterBar view="activity" filter={filter} onChange={onFilter} total={listed.total} />}
      faded={listed.stale || offlineSince !== null}
    >
      <TrailTable
        label={texts.title}
        storageKey={storageKeys.activityColumns}
        columns={columns}
        listed={listed}
        filtered={isFiltered(filter)}
        onClear={() => onFilter(noFilter)}
      />
    </TablePanel>
  );
}

function AuditView({ tabs, filter, onFilter }: ViewProps) {
  const { offlineSince } = useEvents();
  const query = toAuditQuery(filter);
  const listed = usePages<AuditRow>({
    queryKey: ['audit', query],
    read: (api, page, options) => api.call(listAudit, { query: { ...query, ...page } }, options),
    everyMs: POLL_MS,
  });
  const columns = useMemo(() => auditColumns((item) => onFilter({ ...filter, item })), [filter, onFilter]);
  return (
    <TablePanel
      label={texts.views.audit}
      tabs={tabs}
      tools={<TrailTools view="audit" filter={filter} onRefresh={() => void listed.refetch()} />}
      filters={<ActivityFilterBar view="audit" filter={filter} onChange={onFilter} total={listed.total} />}
      faded={listed.stale || offlineSince !== null}
    >
      <TrailTable
        label={texts.views.audit}
        storageKey={storageKeys.auditColumns}
        columns={columns}
        listed={listed}
        filtered={isFiltered(filter)}
        onClear={() => onFilter(noFilter)}
      />
    </TablePanel>
  );
}
