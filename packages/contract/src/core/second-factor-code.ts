import { z } from 'zod';

/** Six digits of an authenticator (RFC 6238: SHA-1, 30 s), or a recovery code. */
export const secondFactorCode = z.string().trim().min(6).max(32);
