import type { Actor, Classification, Info, SessionLimit, Usergroup } from '@osprey/contract';
import { createContext, useContext } from 'react';

/**
 * State of the session: `loading` until the server has responded; `ready` with an actor, or without one (then only the
 * pages before login are open); `setup` while the server waits for its first superAdmin; `failed` while the server does
 * not respond.
 */
export type SessionState = 'loading' | 'ready' | 'setup' | 'failed';

/**
 * Input of a login. `code`: code of the second factor, if the account has one. `ceiling`: highest label that the
 * session may see.
 */
export type LoginGiven = { username: string; password: string; code?: string; ceiling?: Classification };

export type Session = {
  state: SessionState;
  actor: Actor | null;
  /** Limit of a session that sees less than its account may; null: none. */
  limit: SessionLimit | null;
  /**
   * True if the server no longer accepts the credential, but what the user has typed is kept until they log in again or
   * log out.
   */
  ended: boolean;
  /**
   * True if the server no longer accepted this browser's credential of another account; the page shows a notice then.
   */
  refused: boolean;
  /** True if logged in with an account, and not as guest. */
  authenticated: boolean;
  /** Groups of the actor, including their names. */
  groups: readonly Usergroup[];
  info: Info | null;
  /** Reason for the state `failed`. */
  failure: string | null;
  /** Logs in. Rejects with the server's refusal; a guest session is then opened, if guests are allowed. */
  login: (given: LoginGiven) => Promise<{ recoveryCodes?: string[] | undefined }>;
  /** Stores and uses a credential that a call has just returned, for example at set-up. */
  adopt: (credential: { username: string; credential: string }) => Promise<void>;
  continueAsGuest: () => Promise<void>;
  logout: () => Promise<void>;
  /** Requests the current account, its rights and the settings of the server again. */
  refresh: () => Promise<void>;
};

/**
 * Returns a key that differs between sessions with different rights to see data. Cached data must not be kept when the
 * key changes. Undefined without an actor.
 */
export const viewKeyOf = ({ actor, limit }: Pick<Session, 'actor' | 'limit'>): string | undefined =>
  actor ? `${actor.id} ${limit?.label ?? ''}` : undefined;

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext above it');
  return session;
}

/** Returns the logged-in account; for pages that require a login. */
export function useActor(): Actor {
  const { actor } = useSession();
  if (!actor) throw new Error('useActor needs a session with an actor');
  return actor;
}
