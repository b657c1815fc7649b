import { login, logout } from '@osprey/contract';
import { replaceEqualDeep, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { fill } from '../base/format.ts';
import { storageKeys } from '../base/keys.ts';
import { errorText, isCode } from '../base/transport-error.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { forgetTyped, isSomethingTyped } from '../ui/dialog/typed.ts';
import { type Api, useApi } from './api.ts';
import { type Asked, askSession, type Known, unknown } from './ask-session.ts';
import { storeCredentials } from './credentials.ts';
import { type LoginGiven, SessionContext, viewKeyOf } from './session.ts';
import { onUnauthorized } from './unauthorized.ts';

const RETRY_MS = 5000;

/** Alert required by the specification; it stays until the user closes it. */
const full = { title: 'Too many concurrent users - {message}', text: 'Please check your license.' };

type Props = {
  /** The first response, if the session was requested before anything was rendered. */
  first?: Promise<Asked> | undefined;
  children: ReactNode;
};

/** Provides the session. Components below it render again when the session changes. */
export function SessionProvider({ first, children }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const [known, setKnown] = useState<Known>(unknown);
  const asked = useRef(0);
  const { alert } = useAlert();
  const reportFull = useCallback(
    (error: unknown) => alert(fill(full.title, { message: errorText(error).replace(/\.$/, '') }), full.text),
    [alert],
  );

  const accept = useCallback(
    async (asking: Promise<Asked>) => {
      asked.current += 1;
      const turn = asked.current;
      const { known: answer, full: refusal } = await asking;
      if (refusal !== null) reportFull(refusal);
      if (turn !== asked.current) return;
      setKnown((before) => {
        const next = nextOf(before, answer);
        // Before the first response, everything was read with the credential stored in this browser, so the cache is
        // still valid.
        if (before.state !== 'loading' && viewKeyOf(before) !== viewKeyOf(next)) queries.clear();
        else if (before.ended && !next.ended) void queries.invalidateQueries();
        // Usually nothing has changed; the previous object is then kept, so that nothing renders again.
        return replaceEqualDeep(before, next);
      });
    },
    [queries, reportFull],
  );
  const refresh = useCallback(() => accept(askSession(api)), [api, accept]);

  useEffect(() => {
    void (first ? accept(first) : refresh());
  }, [first, accept, refresh]);

  useEffect(() => {
    if (known.state !== 'failed') return;
    const timer = setTimeout(() => void refresh(), RETRY_MS);
    return () => clearTimeout(timer);
  }, [known, refresh]);

  useEffect(() => onUnauthorized(() => void refresh()), [refresh]);

  useEffect(() => {
    // Another tab logged in or out.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === storageKeys.password || key === null) void refresh();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [refresh]);

  const actions = useMemo(() => sessionActions(api, refresh, reportFull), [api, refresh, reportFull]);
  const session = useMemo(
    () => ({ ...known, ...actions, refresh, authenticated: known.actor !== null && known.actor.role !== 'guest' }),
    [known, actions, refresh],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Returns the session that results from a response. */
function nextOf(before: Known, answer: Known): Known {
  if (before.state !== 'ready') return answer;
  // A server that is temporarily unavailable must not log the user out.
  if (answer.state === 'failed') return before;
  const ended = answer.state === 'ready' && hasAccount(before) && !hasAccount(answer);
  if (ended && isSomethingTyped()) return { ...before, ended };
  // Several responses may report the end of the same session, but only for the first was the credential still stored,
  // so `refused` is kept.
  return { ...answer, refused: answer.refused || (before.refused && before.actor?.id === answer.actor?.id) };
}

const hasAccount = ({ actor }: Known): boolean => actor !== null && actor.role !== 'guest';

function sessionActions(api: Api, refresh: () => Promise<void>, reportFull: (error: unknown) => void) {
  async function adopt(credential: { username: string; credential: string }) {
    storeCredentials(credential);
    await refresh();
  }
  return {
    adopt,
    async login(given: LoginGiven) {
      try {
        const answer = await api.call(login, { body: given });
        await adopt(answer);
        return answer;
      } catch (error) {
        if (isCode(error, 'unauthorized')) await refresh();
        if (isCode(error, 'tooManyUsers')) reportFull(error);
        throw error;
      }
    },
    async continueAsGuest() {
      forgetTyped();
      storeCredentials(null);
      await refresh();
    },
    async logout() {
      forgetTyped();
      // The stored credential is deleted even if the server cannot be reached.
      await api.call(logout, {}).catch(() => null);
      storeCredentials(null);
      await refresh();
    },
  };
}
