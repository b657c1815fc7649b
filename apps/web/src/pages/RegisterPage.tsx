import { mdiAccountOffOutline } from '@mdi/js';
import { Button } from '@mui/material';
import { useNavigate } from 'react-router';
import { useSession } from '../api/session.ts';
import { EntryPage } from '../identity/EntryPage.tsx';
import { RegisterForm } from '../identity/RegisterForm.tsx';
import { texts as identity } from '../identity/texts.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

export function RegisterPage() {
  usePageTitle(texts.titles.register);
  const navigate = useNavigate();
  const { info } = useSession();
  const words = identity.register;
  return (
    <EntryPage title={words.title}>
      {info?.registration === 'off' ? (
        <Notice icon={mdiAccountOffOutline} title={words.closed}>
          <Button onClick={() => void navigate('/login')}>{words.back}</Button>
        </Notice>
      ) : (
        <RegisterForm
          onDone={(username) => void navigate('/login', { state: { username } })}
          onBack={() => void navigate('/login')}
        />
      )}
    </EntryPage>
  );
}
