import type { Actor, ErrorCode } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';

/**
 * The sender of a request, determined by its credential alone.
 *
 * - `none`: no credential, or an invalid one (then `refusal` says why)
 * - `password`: Basic with the real password
 * - `device`: Basic with the device credential of a browser, and its cookie
 * - `program`: Basic with a device credential that has no cookie, as issued to programs
 * - `cookie`: the cookie alone, valid for same-origin GETs of media
 * - `mediaToken`: `?token=` or Bearer, valid for the bytes of one mission or document
 */
export type Session = {
  actor: Actor | null;
  kind: 'none' | 'password' | 'device' | 'program' | 'cookie' | 'mediaToken';
  /** Id that media tokens and sockets are bound to; null without a credential. */
  id: string | null;
  /** The device credential, where one was used. */
  credentialId: string | null;
  /** Incremented when the account's rights change. */
  userEpoch: number;
  /** Id of the only mission or document that the media token gives access to. */
  onlyItem: string | null;
  refusal: ErrorCode | null;
};

/** With `media`, the cookie and media tokens are accepted too. */
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
