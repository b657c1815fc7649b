import { Box, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { changeUsers, deleteUsers, type User } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { unlessDoubleClick } from '../ui/dialog/unless-double-click.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { namesOf } from './facts.ts';
import { texts } from './texts.ts';

type Props = { users: readonly User[]; onClose: () => void; onRemoved: (ids: readonly string[]) => void };

const words = texts.removal;

/** Dialog that asks for confirmation before accounts are deleted, and offers to disable those that were used. */
export function RemoveUsers({ users, onClose, onRemoved }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const titleId = useId();
  const textId = useId();
  const used = users.filter(({ lastAccess }) => lastAccess !== null);
  const ids = users.map(({ _id }) => _id);

  async function run(work: () => Promise<{ message: string }>, failed: string) {
    setBusy(true);
    try {
      show((await work()).message);
    } catch (error) {
      show(fill(failed, { name: namesOf(users), names: namesOf(users), text: errorText(error) }), 'error');
    }
    onClose();
    await queries.invalidateQueries({ queryKey: ['users'] });
  }

  const disable = () => run(() => api.call(changeUsers, { body: { users: ids, disabled: true } }), texts.failedUpdate);
  const remove = () =>
    run(async () => {
      const done = await api.call(deleteUsers, { query: { users: users.map(({ username }) => username) } });
      onRemoved(ids);
      return done;
    }, texts.failedDelete);

  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      maxWidth="xs"
      onClose={unlessDoubleClick(onClose)}
    >
      <DialogTitle id={titleId}>
        {users.length === 1
          ? fill(words.titleOne, { name: users[0]!.username })
          : fill(words.title, { count: users.length })}
      </DialogTitle>
      <DialogContent id={textId} sx={{ overflowWrap: 'anywhere' }}>
        {fill(words.text, { names: namesOf(users) })}
        {used.length > 0 && <Box sx={{ mt: 3 }}>{fill(words.history, { names: namesOf(used) })}</Box>}
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {ui.cancel}
        </Button>
        {used.length > 0 && users.some(({ disabled }) => !disabled) && (
          <Button disabled={busy} onClick={() => void disable()}>
            {words.disable}
          </Button>
        )}
        <Button variant="contained" color="error" disabled={busy} onClick={() => void remove()}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
