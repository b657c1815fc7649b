import { Button, Dialog } from '@mui/material';
import { useActor, useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { EntryPage } from '../identity/EntryPage.tsx';
import { LoginForm } from '../identity/LoginForm.tsx';
import { texts } from '../identity/session-texts.ts';

/** Covers the whole page until the same account has signed in again, or the typed text is discarded. */
export function SessionEnded() {
  const { username } = useActor();
  const { limit, logout } = useSession();
  return (
    <Dialog open fullScreen slotProps={{ paper: { 'aria-label': texts.ended } }} transitionDuration={0}>
      <EntryPage title={texts.ended} lead={fill(texts.endedLead, { name: username })} notice={texts.notice}>
        <LoginForm
          username={username}
          from={`${location.pathname}${location.search}`}
          signedOn={null}
          ceiling={limit?.label ?? null}
          onDone={() => undefined}
        />
        <Button fullWidth variant="text" sx={{ mt: 2 }} onClick={() => void logout()}>
          {texts.leave}
        </Button>
      </EntryPage>
    </Dialog>
  );
}
