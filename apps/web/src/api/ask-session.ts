import { type Actor, authenticated, getInfo, guestSession, type Info, ownGroups } from '@osprey/contract';
import { errorText, isCode } from '../base/transport-error.ts';
import type { Api } from './api.ts';
import { storeCredentials, storedCredentials } from './credentials.ts';
import type { Session } from './session.ts';

export type Known = Pick<Session, 'state' | 'actor' | 'limit' | 'ended' | 'refused' | 'groups' | 'info' | 'failure'>;
/** Result of asking; `full` is the refusal of a licence whose places are all taken. */
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

/** Account of the stored credential, with groups and their ceilings; null when it is not good any more. */
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

/** Asks the server who we are and what it offers. Needs nothing that is drawn: it may be begun before the page is. */
export async function askSession(api: Api): Promise<Asked> {
  let full: unknown = null;
  // All places of the licence are taken: no account for now, but the credential stays good for later.
  const waitOutside = (error: unknown) => {
    if (!isCode(error, 'tooManyUsers')) throw error;
    full = error;
    return null;
  };
  try {
    // Asks both questions at once, since the page waits for both before it draws anything.
    const held = storedCredentials()?.username;
    const own = settled(whoAmI(api));
    const info = await api.call(getInfo, {});
    const self = (await who(api, info, own).catch(waitOutside)) ?? nobody;
    // Only accounts get all of the server's settings: a guest session that was opened just now gets them by a second
    // answer.
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

const nobody: Self = { actor: null, limit: null, groups: [] };

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
