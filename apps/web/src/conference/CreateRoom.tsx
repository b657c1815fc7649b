import { Box, Button, Stack, Typography } from '@mui/material';
import {
  BUILT_IN_PARTICIPANTS_MAX,
  classificationOf,
  classificationRank,
  createRoom,
  EMPTY_TIMEOUT_MAX_S,
  EMPTY_TIMEOUT_MIN_S,
  isAdmin,
  PARTICIPANTS_MAX,
  type Room,
  roomName,
  type Usergroup,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor, useSession } from '../api/session.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Field } from '../ui/fields/Field.tsx';
import { GroupPicker } from '../ui/fields/GroupPicker.tsx';
import { firstGroups } from '../ui/fields/sharing.ts';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.create;
const MINUTES = 10;

/**
 * Returns whether the user may create rooms: administrators and, if the installation is configured so, group
 * administrators.
 */
export function useMayMakeRooms(): boolean {
  const { info } = useSession();
  const actor = useActor();
  if (isAdmin(actor)) return true;
  return info?.conferenceCreate === 'groupAdmins' && actor.role === 'groupAdmin' && actor.administered.length > 0;
}

/** Returns the groups for which this account may create a room. */
function useGroupsForRooms(): readonly Usergroup[] {
  const actor = useActor();
  const groups = useUsergroups();
  return isAdmin(actor) ? groups : groups.filter(({ _id }) => actor.administered.includes(_id));
}

export function CreateRoom({ rooms }: { rooms: readonly Room[] }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { info } = useSession();
  const peopleMax = info?.lk_url ? PARTICIPANTS_MAX : BUILT_IN_PARTICIPANTS_MAX;
  const groups = useGroupsForRooms();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [minutes, setMinutes] = useState(String(MINUTES));
  const [most, setMost] = useState(String(BUILT_IN_PARTICIPANTS_MAX));
  const [busy, setBusy] = useState(false);

  const picked = chosen ?? firstGroups('UNCLASSIFIED', groups);
  const used = groups.filter(({ _id }) => picked.includes(_id));
  const trimmed = name.trim();
  const taken = rooms.some((room) => room.name === trimmed);
  const badName = trimmed === '' || roomName.safeParse(name).success ? undefined : nameText(name);
  const nameProblem = taken ? fill(words.taken, { name: trimmed }) : badName;
  const seconds = Number(minutes) * 60;
  const minutesGood = Number.isInteger(seconds) && seconds >= EMPTY_TIMEOUT_MIN_S && seconds <= EMPTY_TIMEOUT_MAX_S;
  const people = Number(most);
  const mostGood = Number.isInteger(people) && people >= 1 && people <= peopleMax;
  const ready = trimmed !== '' && nameProblem === undefined && used.length > 0 && minutesGood && mostGood && !busy;
  const label = classificationOf(
    Math.min(...used.map(({ securityClassification }) => classificationRank(securityClassification)), 5),
  );

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    const body = { name, usergroups: used.map((group) => group.name), emptyTimeout: seconds, maxParticipants: people };
    try {
      const made = await api.call(createRoom, { body });
      show(fill(words.done, { name: made.name }));
      setName('');
    } catch (error) {
      show(fill(words.failed, { name: trimmed, text: errorText(error) }), 'error');
    }
    setBusy(false);
    await queries.invalidateQueries({ queryKey: ['rooms'] });
  }

  return (
    <Stack
      component="form"
      noValidate
      aria-label={words.title}
      spacing={3}
      onSubmit={(event) => void submit(event)}
      sx={{ borderTop: 1, borderColor: 'divider', pt: 4 }}
    >
      <Typography variant="h3">{words.title}</Typography>
      <Field
        label={words.name}
        value={name}
        problem={nameProblem}
        onChange={(event) => setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 64 } }}
      />
      <GroupPicker
        groups={groups}
        label="UNCLASSIFIED"
        value={{ everyone: false, usergroups: picked }}
        onChange={({ usergroups }) => setChosen(usergroups)}
        mayEveryone={false}
        demoFixed={false}
        problem={undefined}
      />
      {used.length > 0 && (
        <Box sx={{ ...{ display: 'flex', alignItems: 'center', gap: 2 }, fontSize: 12, color: 'text.secondary' }}>
          {words.label} <ShownMark label={label} />
        </Box>
      )}
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 3 }}>
        <Field
          label={words.minutes}
          type="number"
          value={minutes}
          help={words.minutesHelp}
          problem={minutesGood ? undefined : words.minutesBad}
          onChange={(event) => setMinutes(event.target.value)}
          slotProps={{ htmlInput: { min: EMPTY_TIMEOUT_MIN_S / 60, max: EMPTY_TIMEOUT_MAX_S / 60 } }}
        />
        <Field
          label={words.most}
          type="number"
          value={most}
          problem={mostGood ? undefined : fill(words.mostBad, { most: peopleMax })}
          onChange={(event) => setMost(event.target.value)}
          slotProps={{ htmlInput: { min: 1, max: peopleMax } }}
        />
      </Box>
      <Button type="submit" variant="contained" color="primary" disabled={!ready} sx={{ alignSelf: 'end' }}>
        {words.submit}
      </Button>
    </Stack>
  );
}

function nameText(name: string): string | undefined {
  return roomName.safeParse(name).error?.issues[0]?.message;
}
