import type { Actor, Classification, Info, SessionLimit, Usergroup } from '@osprey/contract';
import { createContext, useContext } from 'react';

/**
 * `loading` until the server has answered; `ready` with an actor or without (then only the pages before the login
 * open); `setup` while the server waits for its first superAdmin; `failed` while it does not answer.
 */
export type SessionState = 'loading' | 'ready' | 'setup' | 'failed';

/** Input of a log-in; `code` if the account has a second factor, `ceiling` for a session that sees nothing above it. */
export type LoginGiven = { username: string; password: string; code?: string; ceiling?: Classification };

export type Session = {
  state: SessionState;
  actor: Actor | null;
  /** Where the session sees less than its account may. */
  limit: SessionLimit | null;
  /** The server takes the credential no more, but what the actor typed is kept until they log in again, or leave it. */
  ended: boolean;
  /** The server no longer took this browser's credential of another account: the page says so. */
  refused: boolean;
  /** Signed in with an account, not as guest. */
  authenticated: boolean;
  /** Groups of the actor with their names. */
  groups: readonly Usergroup[];
  info: Info | null;
  /** Why `failed`. */
  failure: string | null;
  /** Rejects with the server's refusal; a guest session is opened instead where guests are allowed. */
  login: (given: LoginGiven) => Promise<{ recoveryCodes?: string[] | undefined }>;
  /** Takes over a credential that a call has just answered with (set-up). */
  adopt: (credential: { username: string; credential: string }) => Promise<void>;
  continueAsGuest: () => Promise<void>;
  logout: () => Promise<void>;
  /** Asks the server again who we are, what we may, and what it offers. */
  refresh: () => Promise<void>;
};

/** Differs between sessions that see different things: nothing is kept from one to the other. Undefined without an actor. */
export const viewKeyOf = ({ actor, limit }: Pick<Session, 'actor' | 'limit'>): string | undefined =>
  actor ? `${actor.id} ${limit?.label ?? ''}` : undefined;

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionContext above it');
  return session;
}

/** Returns the signed-in account, for pages after the login. */
export function useActor(): Actor {
  const { actor } = useSession();
  if (!actor) throw new Error('useActor needs a session with an actor');
  return actor;
}
