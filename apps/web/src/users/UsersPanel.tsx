import { mdiAccountOffOutline } from '@mdi/js';
import { Box, useMediaQuery } from '@mui/material';
import { BULK_USERS_MAX, can, changeUsers, type PasswordLink, resetByLink, type User } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useEvents } from '../events/events.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { forgetTyped } from '../ui/dialog/typed.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { DetailGone } from '../ui/table/DetailGone.tsx';
import { TablePanel } from '../ui/table/TablePanel.tsx';
import { useColumnChoice } from '../ui/table/useColumnChoice.ts';
import { useSelection } from '../ui/table/useSelection.ts';
import { BulkGroupsDialog } from './BulkGroupsDialog.tsx';
import { CreateUserDialog } from './CreateUserDialog.tsx';
import { hiddenAtFirst } from './columns.tsx';
import { mayDo, namesOf } from './facts.ts';
import { LinkDialog } from './LinkDialog.tsx';
import { RemoveUsers } from './RemoveUsers.tsx';
import { texts } from './texts.ts';
import { UserDetail } from './UserDetail.tsx';
import { UserFilterBar } from './UserFilterBar.tsx';
import { UsersBulkBar } from './UsersBulkBar.tsx';
import { UsersTable } from './UsersTable.tsx';
import { UsersTools } from './UsersTools.tsx';
import { useUserFilter } from './useUserFilter.ts';
import { useUser, useUsers } from './useUsers.ts';

/** Dialog above the table. */
type Asked =
  | { kind: 'create' }
  | { kind: 'link'; link: PasswordLink }
  | { kind: 'reset'; user: User }
  | { kind: 'groups' | 'remove' | 'disable'; users: User[] };

type Props = { tabs: ReactNode };

/** Width of the panel next to the table, in px. */
const WIDTH = 484;

/** Table of the accounts, with detail panel, and actions on one or several. */
export function UsersPanel({ tabs }: Props) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const { offlineSince } = useEvents();
  const { show } = useSnackbar();
  const groups = useUsergroups();
  const { filter, setFilter, sort, setSort, openId, setOpenId } = useUserFilter();
  const listed = useUsers(filter, sort);
  const columns = useColumnChoice(storageKeys.userColumns, hiddenAtFirst);
  const selection = useSelection(listed.rows);
  const [asked, setAsked] = useState<Asked | null>(null);
  const narrow = useMediaQuery('(max-width: 959.95px)');
  const close = () => setAsked(null);

  async function switchAll(users: readonly User[], disabled: boolean) {
    try {
      const { message } = await api.call(changeUsers, { body: { users: users.map(({ _id }) => _id), disabled } });
      show(message);
    } catch (error) {
      show(fill(texts.failedUpdate, { name: namesOf(users), text: errorText(error) }), 'error');
    }
    close();
    await queries.invalidateQueries({ queryKey: ['users'] });
  }

  async function reset(user: User) {
    try {
      setAsked({ kind: 'link', link: await api.call(resetByLink, { params: { id: user._id } }) });
    } catch (error) {
      show(fill(texts.failedUpdate, { name: user.username, text: errorText(error) }), 'error');
      close();
    }
    await queries.invalidateQueries({ queryKey: ['users'] });
  }

  const onSwitch = (users: User[], disabled: boolean) =>
    disabled ? setAsked({ kind: 'disable', users }) : void switchAll(users, false);
  const detail = openId !== null && (
    <OpenUser
      key={openId}
      id={openId}
      existing={listed.rows.find(({ _id }) => _id === openId)}
      groups={groups}
      onClose={() => setOpenId(null)}
      onReset={(user) => (user.state === 'invited' ? void reset(user) : setAsked({ kind: 'reset', user }))}
      onRemove={(user) => setAsked({ kind: 'remove', users: [user] })}
      onSwitch={(user, disabled) => onSwitch([user], disabled)}
    />
  );

  return (
    <>
      {!(narrow && detail) && (
        <TablePanel
          label={texts.title}
          tabs={tabs}
          tools={
            <UsersTools
              search={filter.search}
              onSearch={(search) => setFilter({ ...filter, search })}
              columns={columns}
              onAdd={can(actor, 'user.create').allowed ? () => setAsked({ kind: 'create' }) : null}
            />
          }
          filters={<UserFilterBar filter={filter} onChange={setFilter} groups={groups} total={listed.total} />}
          faded={listed.stale || offlineSince !== null}
        >
          <UsersTable
            listed={listed}
            filter={filter}
            onFilter={setFilter}
            sort={sort}
            onSort={setSort}
            columns={columns}
            selection={selection}
            mayChoose={(user) => mayDo(actor, 'user.update', user, groups)}
            openId={openId}
            onOpen={({ _id }) => setOpenId(_id)}
          />
          {selection.chosen.length > 0 && (
            <UsersBulkBar
              users={selection.chosen}
              mayRemove={selection.chosen.every((user) => mayDo(actor, 'user.delete', user, groups))}
              tooMany={selection.chosen.length > BULK_USERS_MAX}
              onGroups={() => setAsked({ kind: 'groups', users: selection.chosen })}
              onSwitch={(disabled) => onSwitch(selection.chosen, disabled)}
              onRemove={() => setAsked({ kind: 'remove', users: selection.chosen })}
              onClear={selection.clear}
            />
          )}
        </TablePanel>
      )}
      {detail}
      {asked?.kind === 'create' && (
        <CreateUserDialog groups={groups} onClose={close} onMade={(link) => setAsked({ kind: 'link', link })} />
      )}
      {asked?.kind === 'link' && <LinkDialog link={asked.link} onClose={close} />}
      {asked?.kind === 'groups' && <BulkGroupsDialog users={asked.users} groups={groups} onClose={close} />}
      {asked?.kind === 'remove' && (
        <RemoveUsers
          users={asked.users}
          onClose={close}
          onRemoved={(ids) => {
            if (openId === null || !ids.includes(openId)) return;
            forgetTyped();
            setOpenId(null);
          }}
        />
      )}
      {asked?.kind === 'disable' && (
        <ConfirmDialog
          title={
            asked.users.length === 1
              ? fill(texts.disabling.titleOne, { name: asked.users[0]!.username })
              : fill(texts.disabling.title, { count: asked.users.length })
          }
          confirmText={texts.disabling.confirm}
          danger
          onConfirm={() => void switchAll(asked.users, true)}
          onCancel={close}
        >
          {fill(texts.disabling.text, { names: namesOf(asked.users) })}
        </ConfirmDialog>
      )}
      {asked?.kind === 'reset' && (
        <ConfirmDialog
          title={fill(texts.reset.title, { name: asked.user.username })}
          confirmText={texts.reset.confirm}
          danger
          onConfirm={() => void reset(asked.user)}
          onCancel={close}
        >
          {fill(texts.reset.text, { name: asked.user.username })}
        </ConfirmDialog>
      )}
    </>
  );
}

type OpenProps = Omit<React.ComponentProps<typeof UserDetail>, 'user'> & { id: string; existing: User | undefined };

function OpenUser({ id, existing, ...rest }: OpenProps) {
  const { data, error } = useUser(id, existing);
  if (isCode(error, 'notFound') || isCode(error, 'forbidden')) {
    const { gone, close } = texts.detail;
    return (
      <DetailGone icon={mdiAccountOffOutline} text={gone} closeText={close} width={WIDTH} onClose={rest.onClose} />
    );
  }
  if (data === undefined) return <Box sx={{ width: { xs: '100%', md: WIDTH }, flex: 'none' }} aria-busy="true" />;
  return <UserDetail user={data} {...rest} />;
}
