import { Skeleton } from '@mui/material';
import { type Classification, startSingleSignOn } from '@osprey/contract';
import { useState } from 'react';
import { addressOf } from '../api/http-api.ts';
import { useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { isCode } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { LoginSecondStep } from './LoginSecondStep.tsx';
import { type Given, PasswordForm } from './PasswordForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { texts } from './texts.ts';
import { type SignOnResult, useSignOn } from './useSignOn.ts';

type Props = {
  /** Initial username, set after registering. */
  username?: string;
  /** Path to open after login. */
  from: string | null;
  /** Result of the single sign-on, if the browser has just returned from the identity provider. */
  signedOn: SignOnResult;
  /** Called after login, with the path to open if it differs from `from`. */
  onDone: (from?: string | null) => void;
  /** Ceiling of the session that is being continued; null: none. Left out: the user may choose a ceiling. */
  ceiling?: Classification | null;
  /** Called to open the registration form. Left out: registering is not offered. */
  onRegister?: () => void;
};

type Step = { at: 'password' } | { at: 'code' | 'setUp'; given: Given } | { at: 'codes'; codes: readonly string[] };

/** Login form: first the password, then the second factor if the account has one or needs one. */
export function LoginForm({ username = '', from, signedOn, onDone, ceiling: retained, onRegister }: Props) {
  const { login, continueAsGuest } = useSession();
  const { show } = useSnackbar();
  const [step, setStep] = useState<Step>({ at: 'password' });
  const [chosen, setChosen] = useState<Classification | null>(retained ?? null);

  async function enter(given: Given, code?: string) {
    const { recoveryCodes } = await login({ ...given, ...(code && { code }), ...(chosen && { ceiling: chosen }) });
    show(fill(texts.login.done, { name: given.username }));
    if (recoveryCodes) setStep({ at: 'codes', codes: recoveryCodes });
    else onDone();
  }

  async function onPassword(given: Given) {
    try {
      await enter(given);
    } catch (error) {
      if (isCode(error, 'secondFactorNeeded')) setStep({ at: 'code', given });
      else if (isCode(error, 'secondFactorSetUpNeeded')) setStep({ at: 'setUp', given });
      else throw error;
    }
  }

  const signOn = useSignOn(signedOn, onDone);
  if (signOn === 'under way') return <Skeleton variant="rectangular" height={160} />;
  if (step.at === 'codes') return <RecoveryCodes codes={step.codes} onSaved={() => onDone()} />;
  if (step.at !== 'password') {
    return (
      <LoginSecondStep
        given={step.given}
        setUp={step.at === 'setUp'}
        onCode={(code) => enter(step.given, code)}
        onBack={() => setStep({ at: 'password' })}
      />
    );
  }
  return (
    <PasswordForm
      username={username}
      onPassword={onPassword}
      {...(retained === undefined && { ceiling: chosen, onCeiling: setChosen })}
      {...(onRegister && { onRegister })}
      onSingleSignOn={() => location.assign(addressOf(startSingleSignOn.path, { query: { from, ceiling: chosen } }))}
      failedBefore={signOn === 'failed' ? texts.login.singleSignOnFailed : null}
      onGuest={async () => {
        await continueAsGuest();
        onDone();
      }}
    />
  );
}
