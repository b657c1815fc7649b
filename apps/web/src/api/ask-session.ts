import { type Actor, authenticated, getInfo, guestSession, type Info, ownGroups } from '@osprey/contract';
import { errorText, isCode } from '../base/transport-error.ts';
import type { Api } from './api.ts';
import { storeCredentials, storedCredentials } from './credentials.ts';
import type { Session } from './session.ts';

export type Known = Pick<Session, 'state' | 'actor' | 'limit' | 'ended' | 'refused' | 'groups' | 'info' | 'failure'>;
/**
 * Result of requesting the session. `full`: the error that refused it because all places of the licence are taken;
 * null: none.
 */
export type Asked = { known: Known; full: unknown };

type Self = Pick<Known, 'actor' | 'limit' | 'groups'>;

export const unknown: Known = {
  state: 'loading',
  actor: null,
  limit: null,
  ended: false,
  refused: false,
  groups: [],
  info: null,
  failure: null,
};

/**
 * Returns the account of the stored credential, with its groups and their ceilings; null if the credential is no longer
 * valid.
 */
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
    return { actor, limit: account.limit ?? null, groups };
  } catch (error) {
    if (isCode(error, 'unauthorized') || isCode(error, 'notSignedIn')) return null;
    throw error;
  }
}

/** Opens a guest session, if guests are allowed; used when the login failed or is missing. */
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

/**
 * Requests the current account and the settings of the server. Depends on nothing that is rendered, so it can be called
 * before the page is.
 */
export async function askSession(api: Api): Promise<Asked> {
  let full: unknown = null;
  // All places of the licence are taken: there is no account for now, but the credential is kept and remains valid.
  const waitOutside = (error: unknown) => {
    if (!isCode(error, 'tooManyUsers')) throw error;
    full = error;
    return null;
  };
  try {
    // Both requests are sent at the same time, since the page waits for both before it renders anything.
    const held = storedCredentials()?.username;
    const own = settled(whoAmI(api));
    const info = await api.call(getInfo, {});
    const self = (await who(api, info, own).catch(waitOutside)) ?? signedOut;
    // Only accounts receive all settings of the server. If a guest session was only just opened, the settings are
    // requested once more.
    const isOwn = self === (await own).value;
    const ownInfo = self.actor && !isOwn ? await api.call(getInfo, {}) : info;
    const refused = held !== undefined && !isOwn && self.actor?.username !== held && full === null;
    return { known: { ...unknown, ...self, state: 'ready', info: ownInfo, refused }, full };
  } catch (error) {
    if (isCode(error, 'notSetUp')) return { known: { ...unknown, state: 'setup' }, full };
    return { known: { ...unknown, state: 'failed', failure: errorText(error) }, full };
  }
}

type Outcome = { value: Self | null; error?: unknown };

const signedOut: Self = { actor: null, limit: null, groups: [] };

/** Converts a failure to a value, which is examined later and only if nothing else has failed first. */
const settled = (asked: Promise<Self | null>): Promise<Outcome> =>
  asked.then(
    (value) => ({ value }),
    (error: unknown) => ({ value: null, error }),
  );

/** @throws the error with which the request for the account of the stored credential failed */
async function who(api: Api, info: Info, own: Promise<Outcome>): Promise<Self | null> {
  const { value, error } = await own;
  if (error !== undefined) throw error;
  return value ?? openGuest(api, info);
}
