import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';
import { EntryPage } from '../identity/EntryPage.tsx';
import { LoginForm } from '../identity/LoginForm.tsx';
import { texts as identity } from '../identity/texts.ts';
import { signOnResult } from '../identity/useSignOn.ts';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

/** Page to open after the login, and the name that was just registered. */
type State = { from?: string; username?: string } | null;

export function LoginPage() {
  usePageTitle(texts.titles.login);
  const navigate = useNavigate();
  const { refused } = useSession();
  const state = useLocation().state as State;
  const [signedOn] = useState(() => signOnResult(location));
  return (
    <EntryPage
      title={identity.login.title}
      {...(refused && { lead: identity.login.endedOutside })}
      notice={identity.login.notice}
    >
      <LoginForm
        username={state?.username ?? ''}
        from={state?.from ?? null}
        signedOn={signedOn}
        onDone={(from) => void navigate(from ?? state?.from ?? '/missions', { replace: true })}
        onRegister={() => void navigate('/register', { state: { from: state?.from } })}
      />
    </EntryPage>
  );
}
