import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EntryPage } from '../identity/EntryPage.tsx';
import { SetPasswordForm } from '../identity/SetPasswordForm.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

/** Page of a one-time link for a new password. The link's secret is in the fragment, which browsers do not send. */
export function ResetPage() {
  usePageTitle(texts.titles.reset);
  const navigate = useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  return (
    <EntryPage title={texts.titles.reset}>
      <SetPasswordForm
        token={token}
        onDone={(username) => void navigate('/login', { replace: true, state: { username } })}
        onLogin={() => void navigate('/login', { replace: true })}
      />
    </EntryPage>
  );
}
