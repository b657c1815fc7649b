import { mdiClose, mdiHistory, mdiKeyVariant, mdiShieldKeyOutline, mdiTrashCanOutline } from '@mdi/js';
import { Avatar, Box, Button, Typography } from '@mui/material';
import { isAdmin, removeSecondFactorOf, type User, type Usergroup, updateUser } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatTime } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useHoldTyped } from '../ui/dialog/typed.ts';
import { Field } from '../ui/fields/Field.tsx';
import { Hint } from '../ui/Hint.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { DetailPanel } from '../ui/table/DetailPanel.tsx';
import { differing, emailProblem, toQuery } from './draft.ts';
import { fullName, mayDo, onlineText } from './facts.ts';
import { GroupTable } from './GroupTable.tsx';
import { texts } from './texts.ts';
import { type Ticks, ticked } from './ticks.ts';
import { type Draft, UserFields } from './UserFields.tsx';

type Props = {
  user: User;
  groups: readonly Usergroup[];
  onClose: () => void;
  onReset: (user: User) => void;
  onRemove: (user: User) => void;
  onSwitch: (user: User, disabled: boolean) => void;
};

const words = texts.detail;

type Typed = { fields: Partial<Draft>; member: Ticks; controls: Ticks };
const nothing: Typed = { fields: {}, member: {}, controls: {} };

const draftOf = (user: User, { fields, member, controls }: Typed): Draft => ({
  ...user,
  ...fields,
  usergroups: ticked(user.usergroups, member),
  usergroupsAdmin: ticked(user.usergroupsAdmin, controls),
});

/** Panel of one account next to the table: identity, rights, and actions. */
export function UserDetail({ user, groups, onClose, onReset, onRemove, onSwitch }: Props) {
  const api = useApi();
  const actor = useActor();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [typed, setTyped] = useState<Typed>(nothing);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const draft = draftOf(user, typed);
  const changes = differing(user, draft);
  const count = Object.keys(changes).length;
  useHoldTyped(count > 0, 'user');
  const problem = emailProblem(user, changes);
  const mayEdit = mayDo(actor, 'user.update', user, groups);
  const mayGiveRights = mayDo(actor, 'user.setRights', user, groups);

  async function save() {
    setBusy(true);
    try {
      const { message } = await api.call(updateUser, { params: { id: user._id }, query: toQuery(changes) });
      show(message);
      await queries.invalidateQueries({ queryKey: ['users'] });
      // Input is cleared only after the account was loaded again, so that no old values appear for a moment.
      setTyped((now) => (now === typed ? nothing : now));
    } catch (error) {
      show(fill(texts.failedUpdate, { name: user.username, text: errorText(error) }), 'error');
      await queries.invalidateQueries({ queryKey: ['users'] });
    }
    setBusy(false);
  }

  async function removeFactor() {
    setBusy(true);
    try {
      show((await api.call(removeSecondFactorOf, { params: { id: user._id } })).message);
    } catch (error) {
      show(fill(texts.factor.failed, { name: user.username, text: errorText(error) }), 'error');
    }
    setAsking(false);
    setBusy(false);
    await queries.invalidateQueries({ queryKey: ['users'] });
  }

  return (
    <DetailPanel
      label={fill(words.label, { name: user.username })}
      width={484}
      onEscape={onClose}
      head={
        <Head
          user={user}
          mayReset={mayDo(actor, 'user.resetPassword', user, groups)}
          onReset={onReset}
          onRemoveFactor={() => setAsking(true)}
          onClose={onClose}
        />
      }
      foot={
        mayEdit ? (
          <>
            {isAdmin(actor) && (
              <>
                <Button
                  variant="text"
                  color="error"
                  startIcon={<Icon path={mdiTrashCanOutline} />}
                  onClick={() => onRemove(user)}
                >
                  {words.remove}
                </Button>
                <Button variant="text" onClick={() => onSwitch(user, !user.disabled)}>
                  {switchText(user)}
                </Button>
              </>
            )}
            <Box component="span" role="status" sx={{ ml: 'auto', color: 'text.secondary', fontSize: 12 }}>
              {count > 0 && formatCount(count, words.changes)}
            </Box>
            <Button disabled={count === 0} onClick={() => setTyped(nothing)}>
              {words.discard}
            </Button>
            <Button
              variant="contained"
              color="primary"
              disabled={count === 0 || busy || problem !== undefined}
              onClick={() => void save()}
            >
              {words.save}
            </Button>
          </>
        ) : null
      }
    >
      {!mayEdit && <ReadOnly user={user} own={user._id === actor.id} />}
      <Box sx={{ display: 'grid', gap: 3 }}>
        <UserFields
          actor={actor}
          draft={draft}
          onChange={(change) => setTyped((before) => ({ ...before, fields: { ...before.fields, ...change } }))}
          mayEdit={mayEdit}
          mayGiveRights={mayGiveRights}
          emailProblem={problem}
        />
        <Field label={words.registered} value={formatTime(user.registered)} disabled />
      </Box>
      <GroupTable
        name={user.username}
        role={draft.authorizationRole}
        groups={groups}
        member={draft.usergroups}
        controls={draft.usergroupsAdmin}
        onMember={(ticks) => setTyped((before) => ({ ...before, member: { ...before.member, ...ticks } }))}
        onControls={(ticks) => setTyped((before) => ({ ...before, controls: { ...before.controls, ...ticks } }))}
        mayChange={mayEdit}
        mayControl={mayGiveRights}
      />
      <Hint>{words.rule}</Hint>
      {asking && (
        <ConfirmDialog
          title={fill(texts.factor.title, { name: user.username })}
          confirmText={texts.factor.confirm}
          danger
          busy={busy}
          onConfirm={() => void removeFactor()}
          onCancel={() => setAsking(false)}
        >
          {fill(texts.factor.text, { name: user.username })}
        </ConfirmDialog>
      )}
    </DetailPanel>
  );
}

const switchText = ({ state }: User): string => {
  if (state === 'waiting') return words.approve;
  return state === 'disabled' ? words.enable : words.disable;
};

type HeadProps = {
  user: User;
  mayReset: boolean;
  onReset: (user: User) => void;
  onRemoveFactor: () => void;
  onClose: () => void;
};

function Head({ user, mayReset, onReset, onRemoveFactor, onClose }: HeadProps) {
  const about = [fullName(user), user.company].filter((part) => part !== '').join(', ');
  const state = user.state === 'active' ? '' : texts.states[user.state];
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        <Avatar aria-hidden="true" sx={avatarSx}>
          {user.username.slice(0, 1).toUpperCase()}
        </Avatar>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
            {user.username}
          </Typography>
          <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {[onlineText(user.onlineCount), state, about].filter((part) => part !== '').join(' · ')}
          </Typography>
        </Box>
        <Action label={words.close} icon={mdiClose} onClick={onClose} sx={{ alignSelf: 'flex-start' }} />
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button component={Link} to={`/useractivity?users=${user._id}`} startIcon={<Icon path={mdiHistory} />}>
          {words.activity}
        </Button>
        {mayReset && (
          <Button startIcon={<Icon path={mdiKeyVariant} />} disabled={user.disabled} onClick={() => onReset(user)}>
            {user.state === 'invited' ? words.invite : words.resetPassword}
          </Button>
        )}
        {mayReset && user.secondFactor && (
          <Button startIcon={<Icon path={mdiShieldKeyOutline} />} onClick={onRemoveFactor}>
            {words.removeFactor}
          </Button>
        )}
      </Box>
    </>
  );
}

const avatarSx = {
  width: 36,
  height: 36,
  fontSize: 16,
  fontWeight: 600,
  bgcolor: 'surface.selected',
  color: 'primary.main',
} as const;

function ReadOnly({ user, own }: { user: User; own: boolean }) {
  if (user.authorizationRole === 'guest') return <Hint>{words.readOnlyGuest}</Hint>;
  if (own) return <Hint>{words.readOnlyOwn}</Hint>;
  return <Hint>{user.authorizationRole === 'superAdmin' ? words.readOnlySuper : words.readOnlyRank}</Hint>;
}
