import { z } from 'zod';
import { defineCall, done, id, micros } from './core/call.ts';
import { PASSWORD_MAX } from './core/limits.ts';
import { secondFactorCode } from './core/second-factor-code.ts';

const ownPassword = z.string().trim().min(1).max(PASSWORD_MAX);

export const secondFactorState = z.object({
  enabled: z.boolean(),
  since: micros.nullable(),
  /** Number of unused recovery codes, out of ten. */
  recoveryCodesLeft: z.int(),
  /** Whether the operator requires a second factor for this role, in which case it cannot be removed. */
  demanded: z.boolean(),
});
export type SecondFactorState = z.output<typeof secondFactorState>;

/** A second-factor secret. It becomes valid once the client sends back a code generated with it. */
export const secondFactorOffer = z.object({
  /** Secret in Base32, for typing into an authenticator app. */
  secret: z.string(),
  /** otpauth:// address, the content of the QR code. */
  uri: z.string(),
  /** The same address as a QR code: a data:image/png;base64 URL. */
  picture: z.string(),
});
export type SecondFactorOffer = z.output<typeof secondFactorOffer>;

/** Recovery codes, shown only this once. Each can be used one time instead of an authenticator code. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const getSecondFactor = defineCall({
  method: 'GET',
  path: '/second-factor',
  summary: "Returns whether the caller's account has a second factor",
  action: 'account.own',
  input: z.object({}),
  answer: secondFactorState,
  errors: ['notSignedIn', 'forbidden'],
});

export const offerSecondFactor = defineCall({
  method: 'POST',
  path: '/second-factor',
  lasting: true,
  summary: "Starts a second factor for the caller's account. It is active once confirmed",
  action: 'account.own',
  input: z.object({ body: z.strictObject({ password: ownPassword }) }),
  answer: secondFactorOffer,
  errors: ['notSignedIn', 'forbidden', 'unauthorized', 'secondFactorThere', 'tooManyRequests', 'unavailable'],
});

export const confirmSecondFactor = defineCall({
  method: 'PUT',
  path: '/second-factor',
  lasting: true,
  summary: 'Confirms the second factor with a first code, and returns ten recovery codes',
  action: 'account.own',
  input: z.object({ body: z.strictObject({ code: secondFactorCode }) }),
  answer: recoveryCodes,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'wrongSecondFactor', 'tooManyRequests'],
});

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/second-factor/recovery-codes',
  lasting: true,
  summary: 'Replaces the recovery codes by ten new ones',
  action: 'account.own',
  input: z.object({ body: z.strictObject({ code: secondFactorCode }) }),
  answer: recoveryCodes,
  errors: ['invalid', 'notSignedIn', 'forbidden', 'wrongSecondFactor', 'tooManyRequests'],
});

export const removeSecondFactor = defineCall({
  method: 'POST',
  path: '/second-factor/remove',
  lasting: true,
  summary: "Removes the second factor of the caller's account, unless the operator requires it",
  action: 'account.own',
  input: z.object({ body: z.strictObject({ password: ownPassword, code: secondFactorCode }) }),
  answer: done,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'unauthorized',
    'wrongSecondFactor',
    'secondFactorDemanded',
    'tooManyRequests',
    'unavailable',
  ],
});

export const offerSecondFactorAtLogin = defineCall({
  method: 'POST',
  path: '/login/second-factor',
  lasting: true,
  summary: 'Starts the second factor that the role of an account requires, before its first login with one',
  action: 'public.use',
  input: z.object({
    body: z.strictObject({ username: z.string().trim().min(1).max(64), password: ownPassword }),
  }),
  answer: secondFactorOffer,
  errors: ['forbidden', 'invalid', 'unauthorized', 'plainHttp', 'secondFactorThere', 'tooManyRequests', 'unavailable'],
});

export const removeSecondFactorOf = defineCall({
  method: 'DELETE',
  path: '/users/:id/second-factor',
  lasting: true,
  summary: 'Removes the second factor of an account that lost it, and ends its sessions',
  action: 'user.resetPassword',
  input: z.object({ params: z.object({ id }) }),
  answer: done,
  errors: ['notSignedIn', 'forbidden', 'notFound'],
});
