import {
  type Actor,
  authenticated,
  getInfo,
  guestSession,
  type Info,
  login,
  logout,
  ownGroups,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { fill } from '../app/format.ts';
import { storageKeys } from '../app/keys.ts';
import { useAlert } from '../ui/AlertDialog.tsx';
import { type Api, useApi } from './api.ts';
import { storeCredentials, storedCredentials } from './credentials.ts';
import { type LoginGiven, type Session, SessionContext } from './session.ts';
import { errorText, isCode } from './transport-error.ts';
import { onUnauthorized } from './unauthorized.ts';

type Known = Pick<Session, 'state' | 'actor' | 'groups' | 'info' | 'failure'>;
type Self = Pick<Known, 'actor' | 'groups'>;

const unknown: Known = { state: 'loading', actor: null, groups: [], info: null, failure: null };
const RETRY_MS = 5000;

/** Who the stored credential belongs to, with groups and their ceilings; null when it is not good any more. */
async function whoAmI(api: Api): Promise<Self | null> {
  if (!storedCredentials()) return null;
  try {
    const [account, { usergroups, usergroupsAdmin }] = await Promise.all([
      api.call(authenticated, {}),
      api.call(ownGroups, {}),
    ]);
    const groups = [...new Map([...usergroups, ...usergroupsAdmin].map((group) => [group._id, group])).values()];
    const actor: Actor = {
      id: account._id,
      username: account.username,
      role: account.role,
      clearance: account.securityClearance,
      groups: groups.map(({ _id, securityClassification }) => ({ _id, ceiling: securityClassification })),
      administered: usergroupsAdmin.map(({ _id }) => _id),
    };
    return { actor, groups };
  } catch (error) {
    if (isCode(error, 'unauthorized') || isCode(error, 'notSignedIn')) return null;
    throw error;
  }
}

/** A failed or missing login falls back to the guest, where guests are allowed. */
async function openGuest(api: Api, info: Info): Promise<Self | null> {
  storeCredentials(null);
  if (!info.guest) return null;
  try {
    const { username, credential } = await api.call(guestSession, {});
    storeCredentials({ username, credential });
    return await whoAmI(api);
  } catch (error) {
    if (isCode(error, 'unauthorized') || isCode(error, 'tooManyRequests')) return null;
    throw error;
  }
}

async function ask(api: Api, onFull: (error: unknown) => void): Promise<Known> {
  try {
    // Both at once: the page waits for them before it draws anything.
    const own = settled(whoAmI(api));
    const info = await api.call(getInfo, {});
    const self = (await who(api, info, own).catch(waitOutside(onFull))) ?? nobody;
    // What only accounts may know of the server: a guest session that was opened just now is told it by a second answer.
    const full = self.actor && self !== (await own).value ? await api.call(getInfo, {}) : info;
    return { state: 'ready', info: full, failure: null, actor: self.actor, groups: self.groups };
  } catch (error) {
    if (isCode(error, 'notSetUp')) return { ...unknown, state: 'setup' };
    return { ...unknown, state: 'failed', failure: errorText(error) };
  }
}

type Outcome = { value: Self | null; error?: unknown };

const nobody: Self = { actor: null, groups: [] };

/** A failure that is looked at later, and only if nothing else failed first. */
const settled = (asked: Promise<Self | null>): Promise<Outcome> =>
  asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ value: null, error }),
  );

/** @throws what asking for the stored credential's account ended with */
async function who(api: Api, info: Info, own: Promise<Outcome>): Promise<Self | null> {
  const { value, error } = await own;
  if (error !== undefined) throw error;
  return value ?? openGuest(api, info);
}

/** All places of the licence are taken: nobody for now, but the credential stays good for later. */
const waitOutside = (onFull: (error: unknown) => void) => (error: unknown) => {
  if (!isCode(error, 'tooManyUsers')) throw error;
  onFull(error);
  return null;
};

/** The specification's alert; it stays until it is answered. */
const full = { title: 'Too many concurrent users - {message}', text: 'Please check your license.' };

type Props = { children: ReactNode };

/** Keeps who we are; everything below is drawn anew when that changes. */
export function SessionProvider({ children }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const [known, setKnown] = useState<Known>(unknown);
  const asked = useRef(0);
  const { alert } = useAlert();
  const tellFull = useCallback(
    (error: unknown) => alert(fill(full.title, { message: errorText(error).replace(/\.$/, '') }), full.text),
    [alert],
  );

  const refresh = useCallback(async () => {
    asked.current += 1;
    const turn = asked.current;
    const answer = await ask(api, tellFull);
    if (turn !== asked.current) return;
    setKnown((before) => {
      // Before the first answer nothing was read but by this browser's own credential.
      if (before.state !== 'loading' && before.actor?.id !== answer.actor?.id) queries.clear();
      // A server that is away for a moment does not log anybody out.
      return answer.state === 'failed' && before.state === 'ready' ? before : answer;
    });
  }, [api, queries, tellFull]);

  useEffect(() => {
    void refresh();
  }, [refresh]);

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

  const actions = useMemo(() => sessionActions(api, refresh, tellFull), [api, refresh, tellFull]);
  const session = useMemo(
    () => ({ ...known, ...actions, refresh, authenticated: known.actor !== null && known.actor.role !== 'guest' }),
    [known, actions, refresh],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

function sessionActions(api: Api, refresh: () => Promise<void>, tellFull: (error: unknown) => void) {
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
        if (isCode(error, 'tooManyUsers')) tellFull(error);
        throw error;
      }
    },
    async continueAsGuest() {
      storeCredentials(null);
      await refresh();
    },
    async logout() {
      // Also when the server is away the credential is forgotten here.
      await api.call(logout, {}).catch(() => null);
      storeCredentials(null);
      await refresh();
    },
  };
}
