import { Autocomplete, Button, Stack } from '@mui/material';
import { getUser, listUsers } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { Field } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';

type Person = { _id: string; username: string };

/**
 * Returns the names of the accounts whose ids are in the link. Hidden or deleted accounts have no name and are shown by
 * their id.
 */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const api = useApi();
  const query = useQuery({
    queryKey: ['users', 'names', ids],
    queryFn: ({ signal }) =>
      Promise.all(ids.map((id) => api.call(getUser, { params: { id } }, { signal }).catch(() => null))),
    enabled: ids.length > 0,
  });
  return new Map((query.data ?? []).flatMap((user) => (user ? [[user._id, user.username] as const] : [])));
}

type UserProps = { value: readonly string[]; onChange: (ids: string[]) => void; several: boolean; onDone: () => void };

/** Field for one user or several, who are found by typing their name. */
export function UserChoice({ value, onChange, several, onDone }: UserProps) {
  const api = useApi();
  const [text, setText] = useState('');
  const names = useNames(value);
  const found = useQuery({
    queryKey: ['users', 'search', text],
    queryFn: ({ signal }) =>
      api.call(listUsers, { query: { limit: '20', ...(text !== '' && { search: text }) } }, { signal }),
    placeholderData: (before) => before,
  });
  // Until the response arrives, only those of the previous names are offered that match the typed text, so that Enter
  // cannot choose a wrong account.
  const isNamed = ({ username }: Person) => username.toLowerCase().includes(text.trim().toLowerCase());
  const chosen: Person[] = value.map((_id) => ({ _id, username: names.get(_id) ?? _id }));
  return (
    <Autocomplete
      multiple
      open
      disableCloseOnSelect
      disablePortal
      options={(found.data ?? []) as Person[]}
      value={chosen}
      inputValue={text}
      onInputChange={(_event, typed, reason) => reason !== 'reset' && setText(typed)}
      filterOptions={(options) => (found.isPlaceholderData ? options.filter(isNamed) : options)}
      loading={found.isFetching}
      getOptionLabel={({ username }) => username}
      getOptionKey={({ _id }) => _id}
      isOptionEqualToValue={(a, b) => a._id === b._id}
      onClose={(_event, reason) => reason === 'escape' && onDone()}
      onChange={(_event, people) => {
        const ids = people.map(({ _id }) => _id);
        onChange(several ? ids : ids.slice(-1));
      }}
      renderInput={(params) => <Field {...params} label={texts.filters.users} autoFocus />}
      slotProps={{
        popper: { sx: { position: 'static !important', transform: 'none !important', width: '100% !important' } },
        paper: { sx: { bgcolor: 'transparent', mt: 2 } },
        listbox: { sx: { maxHeight: 260, p: 0 } },
      }}
      sx={{ width: 300 }}
    />
  );
}

type ItemProps = { value: string; onApply: (item: string) => void; byName: boolean };

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Field for one item, given by its id or, if the call accepts it (`byName`), by its name. */
export function ItemChoice({ value, onApply, byName }: ItemProps) {
  const [text, setText] = useState(value);
  const good = text.trim() === '' || byName || UUID.test(text.trim());
  return (
    <Stack
      component="form"
      noValidate
      spacing={3}
      sx={{ width: 340 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (good) onApply(text.trim());
      }}
    >
      <Field
        autoFocus
        label={texts.filters.item}
        help={byName ? texts.itemNamed : texts.itemHelp}
        problem={good ? undefined : texts.itemBad}
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 256 } }}
      />
      <Button type="submit" variant="contained" color="primary" disabled={!good} sx={{ alignSelf: 'flex-end' }}>
        {texts.apply}
      </Button>
    </Stack>
  );
}
