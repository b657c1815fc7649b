import { AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { Account } from '../../base/access/actors.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { isLoopback } from '../../base/config/config.ts';
import type { CheckLogin } from './check-login.ts';

type Given = { username: string; password: string };

/**
 * Returns the account that name and password belong to. @throws AppError plainHttp, unauthorized, tooManyRequests,
 * unavailable
 */
export type PasswordLogin = (given: Given, request: FastifyRequest, audit: RequestAudit) => Promise<Account>;

/**
 * Checks a typed password over an encrypted connection. A refusal is audited with its reason, never with the typed
 * name.
 */
export const passwordLogin =
  (checkLogin: CheckLogin): PasswordLogin =>
  async ({ username, password }, request, audit) => {
    if (request.protocol !== 'https' && !isLoopback(request.ip)) throw new AppError('plainHttp');
    const { account, refusal } = await checkLogin({ username, password, address: request.ip });
    if (account !== null) return account;
    const { why, userId } = refusal;
    await audit.write({ action: 'login', subject: userId, decision: 'refused', result: why, provesIdentity: true });
    throw new AppError('unauthorized');
  };
