import { mdiAccountMinusOutline } from '@mdi/js';
import { Autocomplete, Box, Button, Skeleton, Typography } from '@mui/material';
import { changeUsers, DEMO_GROUP, listUsers, type User, type Usergroup } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../api/api.ts';
import { usePages } from '../api/usePages.ts';
import { fill, formatNumber } from '../base/format.ts';
import { texts as shell } from '../base/texts.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.members;
const SHOWN = 50;
const PAUSE_MS = 200;

/** Members and controllers of the group: the first fifty, and a link to the users for the others. */
export function Members({ group }: { group: Usergroup }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const listed = usePages<User>({
    queryKey: ['users', 'of', group._id],
    read: (caller, page, options) => caller.call(listUsers, { query: { ...page, usergroups: group._id } }, options),
  });
  const shown = listed.rows.slice(0, SHOWN);
  const rest = (listed.total ?? 0) - shown.length;
  const fixed = group.name === DEMO_GROUP;

  async function change(user: User, part: { add: string[]; remove: string[] }) {
    try {
      show((await api.call(changeUsers, { body: { users: [user._id], ...part } })).message);
    } catch (error) {
      show(fill(texts.failedUpdate, { name: group.name, text: errorText(error) }), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['users'] });
    await queries.invalidateQueries({ queryKey: ['usergroups'] });
  }

  return (
    <Box component="section" aria-label={words.title}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2, mb: 2 }}>
        <Typography variant="h3">{words.title}</Typography>
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {formatNumber(listed.total)}
        </Box>
      </Box>
      {!fixed && <AddMember onAdd={(user) => void change(user, { add: [group._id], remove: [] })} />}
      {listed.loading && shown.length === 0 && <Skeleton variant="rectangular" height={120} sx={{ mt: 2 }} />}
      {listed.error !== null && <Box role="alert">{`${words.failed}: ${errorText(listed.error)}`}</Box>}
      {!listed.loading && listed.error === null && shown.length === 0 && (
        <Box sx={{ color: 'text.secondary', py: 2 }}>{words.none}</Box>
      )}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, mt: 1 }}>
        {shown.map((user) => (
          <Box
            key={user._id}
            component="li"
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 2,
              minHeight: 36,
              borderBottom: 1,
              borderColor: 'divider',
            }}
          >
            <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              <Box component="span" sx={{ fontWeight: 600 }}>
                {user.username}
              </Box>{' '}
              <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
                {shell.roles[user.authorizationRole]}
                {user.usergroupsAdmin.includes(group._id) && `, ${words.controls}`}
              </Box>
            </Box>
            <LabelMark label={user.securityClearance} />
            {!fixed && user.usergroups.includes(group._id) && (
              <Action
                label={fill(words.remove, { name: user.username, group: group.name })}
                icon={mdiAccountMinusOutline}
                onClick={() => void change(user, { add: [], remove: [group._id] })}
              />
            )}
          </Box>
        ))}
      </Box>
      {rest > 0 && (
        <Button component={Link} to={`/users?usergroups=${group._id}`} variant="text" sx={{ mt: 1 }}>
          {fill(words.more, { count: formatNumber(rest) })}: {words.showAll}
        </Button>
      )}
    </Box>
  );
}

function AddMember({ onAdd }: { onAdd: (user: User) => void }) {
  const api = useApi();
  const [text, setText] = useState('');
  const found = useQuery({
    queryKey: ['users', 'search', text],
    queryFn: async ({ signal }) => {
      // Delays the request, since each further letter cancels it.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return api.call(listUsers, { query: { search: text, limit: '20' } }, { signal });
    },
    enabled: text.trim() !== '',
  });
  return (
    <Autocomplete
      options={found.data ?? []}
      value={null}
      inputValue={text}
      onInputChange={(_event, typed, reason) => setText(reason === 'input' ? typed : '')}
      onChange={(_event, user) => user && onAdd(user)}
      getOptionLabel={({ username }) => username}
      getOptionKey={({ _id }) => _id}
      filterOptions={(options) => options}
      loading={found.isFetching}
      noOptionsText={words.noMatch}
      autoHighlight
      forcePopupIcon={false}
      open={text.trim() !== ''}
      renderInput={(params) => <Field {...params} label={words.add} />}
    />
  );
}
