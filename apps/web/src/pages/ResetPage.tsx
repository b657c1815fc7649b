import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EntryPage } from '../identity/EntryPage.tsx';
import { SetPasswordForm } from '../identity/SetPasswordForm.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

/** Where a one-time link leads: its secret stands behind the `#`, which never leaves the browser by itself. */
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
