import { mdiAccountOffOutline, mdiLogoutVariant } from '@mdi/js';
import { Box, Tooltip, useMediaQuery } from '@mui/material';
import { can, endSessions, listSessions, type OpenSession, revokeCredential, usersEvent } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { clientText } from '../base/client-text.ts';
import { fill, formatNumber, formatTime } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { texts as shell } from '../base/texts.ts';
import { errorText } from '../base/transport-error.ts';
import { useServerEvent } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { StateDot } from '../ui/StateDot.tsx';
import { DataTable } from '../ui/table/DataTable.tsx';
import type { Column, Sorting } from '../ui/table/data-table.ts';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { texts } from './texts.ts';

const words = texts.columns;
const own = texts.sessions;
const POLL_MS = 30_000;
const lastUsedFirst: Sorting = { column: 'lastUsed', descending: true };
const nothing = () => undefined;

const columns: readonly Column<OpenSession>[] = [
  {
    id: 'user',
    header: words.user,
    width: 150,
    grow: 1,
    cell: ({ user, role, pages }) => (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box component="span" role="img" aria-label={pages > 0 ? own.online : own.offline} sx={{ display: 'flex' }}>
          <StateDot state={pages > 0 ? 'online' : 'offline'} />
        </Box>
        <Box component="span" sx={{ fontWeight: 600 }}>
          {user.username}
        </Box>
        <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
          {shell.roles[role]}
        </Box>
      </Box>
    ),
  },
  { id: 'address', header: words.address, width: 130, cell: ({ address }) => address },
  {
    id: 'client',
    header: words.client,
    width: 150,
    grow: 1,
    cell: ({ client }) => (
      <Tooltip title={client}>
        <span>{clientText(client)}</span>
      </Tooltip>
    ),
  },
  {
    id: 'pages',
    header: words.pages,
    width: 150,
    grow: 0.6,
    cell: ({ pages, status }) => (pages === 0 ? '' : `${formatNumber(pages)} ${status ?? ''}`),
  },
  { id: 'created', header: words.created, width: 160, cell: ({ created }) => formatTime(created) },
  { id: 'lastUsed', header: words.lastUsed, width: 160, cell: ({ lastUsed }) => formatTime(lastUsed) },
  { id: 'expires', header: words.expires, width: 160, cell: ({ expires }) => formatTime(expires) },
];

const narrowColumns = columns.filter(({ id }) => id === 'user' || id === 'address');

/** Table of the sessions that are currently logged in, with their addresses and a button to end each. */
export function SessionsTable({ users }: { users: readonly string[] }) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const narrow = useMediaQuery('(max-width: 599.95px)');
  const { show } = useSnackbar();
  const choice = useColumnChoice(storageKeys.sessionColumns);
  const [ending, setEnding] = useState<OpenSession | null>(null);
  const listed = useQuery({
    queryKey: ['sessions', users],
    queryFn: ({ signal }) =>
      api.call(listSessions, { query: { ...(users.length > 0 && { users: users.join(',') }) } }, { signal }),
    refetchInterval: POLL_MS,
  });
  // An account was added, changed or removed.
  useServerEvent(usersEvent, () => void queries.invalidateQueries({ queryKey: ['sessions'] }));

  // The server checks rights over accounts again; the button is only omitted where the request would certainly be
  // refused.
  const mayEnd = ({ user, role, current }: OpenSession): boolean =>
    !current &&
    (user._id === actor.id ||
      can(actor, 'user.endSession', { id: user._id, username: user.username, role, usergroups: [] }).allowed);

  async function end({ _id, user }: OpenSession) {
    try {
      if (user._id === actor.id) await api.call(revokeCredential, { params: { id: _id } });
      else await api.call(endSessions, { query: { sessions: _id } });
      show(own.done);
    } catch (error) {
      show(fill(own.failed, { name: user.username, text: errorText(error) }), 'error');
    }
    setEnding(null);
    await queries.invalidateQueries({ queryKey: ['sessions'] });
  }

  const rows = listed.data ?? [];
  return (
    <>
      <DataTable
        label={texts.views.sessions}
        columns={narrow ? narrowColumns : columns}
        rows={rows}
        traits={({ _id, user }) => ({ id: _id, name: user.username, level: 1 })}
        sorting={lastUsedFirst}
        onSort={nothing}
        choice={choice.choice}
        onWidth={choice.setWidth}
        onOpen={nothing}
        onToggle={nothing}
        total={rows.length}
        loading={listed.isPending}
        actions={{
          width: 110,
          of: (session) =>
            session.current ? (
              <Box component="span" sx={{ color: 'text.secondary', fontSize: 12, pr: 2 }}>
                {own.current}
              </Box>
            ) : (
              <Action
                label={fill(own.endOf, { name: session.user.username, address: session.address })}
                icon={mdiLogoutVariant}
                disabled={!mayEnd(session)}
                onClick={() => setEnding(session)}
              />
            ),
        }}
      >
        {listed.isError && <FailedNotice title={texts.failed} error={listed.error} onRetry={listed.refetch} />}
        {listed.data?.length === 0 && <Notice icon={mdiAccountOffOutline} title={texts.noSessions} />}
      </DataTable>
      {ending && (
        <ConfirmDialog
          title={fill(own.title, { name: ending.user.username })}
          confirmText={own.end}
          danger
          onConfirm={() => void end(ending)}
          onCancel={() => setEnding(null)}
        >
          {fill(own.text, { client: clientText(ending.client), address: ending.address })}
        </ConfirmDialog>
      )}
    </>
  );
}
