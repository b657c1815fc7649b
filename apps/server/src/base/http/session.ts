import type { Actor, ErrorCode } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';

/**
 * Sender of a request, by its credential alone.
 *
 * - `none`: it has no credential, or one that is not good (then `refusal` says why)
 * - `password`: Basic with the real password
 * - `device`: Basic with the device credential of a browser, and its cookie
 * - `program`: Basic with a device credential that has no cookie, as programs get it
 * - `cookie`: the cookie alone, good for same-origin GETs of media
 * - `mediaToken`: `?token=` or Bearer, good for the bytes of one mission or document
 */
export type Session = {
  actor: Actor | null;
  kind: 'none' | 'password' | 'device' | 'program' | 'cookie' | 'mediaToken';
  /** Id that media tokens and sockets are bound to; null without a credential. */
  id: string | null;
  /** The device credential, where one was used. */
  credentialId: string | null;
  /** Rises when rights of the account change. */
  userEpoch: number;
  /** The mission or document that a media token opens. */
  onlyItem: string | null;
  refusal: ErrorCode | null;
};

/** `media`: cookie and token count too. */
export type IdentifySession = (request: FastifyRequest, use: { media: boolean }) => Promise<Session>;

export const noSession = (refusal: ErrorCode | null = null): Session => ({
  actor: null,
  kind: 'none',
  id: null,
  credentialId: null,
  userEpoch: 0,
  onlyItem: null,
  refusal,
});
