import { type Actor, AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { failureLimit } from '../../base/http/rate-limit.ts';
import type { SecondFactors } from './second-factor.ts';

/**
 * Number of wrong codes for one account from one address without a delay; then each further attempt has to wait, as
 * with passwords.
 */
const FREE_FAILURES = 5;
const WINDOW_MS = 15 * 60_000;
const FIRST_WAIT_MS = 30_000;

type FirstCode = { code: string; epoch: number; except: string | null };
type Login = { code: string | undefined; epoch: number };
type Asking = { actor: Actor; request: FastifyRequest; audit: RequestAudit };

export type SecondStep = ReturnType<typeof secondStep>;

/** The step of a login between the password and the session. */
export function secondStep({ factors, nowMs }: { factors: SecondFactors; nowMs: () => number }) {
  const failures = failureLimit({ free: FREE_FAILURES, windowMs: WINDOW_MS, waitMs: FIRST_WAIT_MS, nowMs });

  async function guarded<Answer>({ actor, request, audit }: Asking, look: () => Promise<Answer | null | false>) {
    const key = `${request.ip} ${actor.id}`;
    failures.check(key);
    const answer = await look();
    // Check the limit again: parallel attempts may have used up the free failures meanwhile. Their responses reveal no
    // more than one attempt would.
    failures.check(key);
    if (answer) {
      failures.succeeded(key);
      return answer;
    }
    failures.failed(key);
    await audit.write({
      action: 'secondFactor.use',
      subject: actor.id,
      decision: 'refused',
      result: 'wrongSecondFactor',
      provesIdentity: true,
    });
    throw new AppError('wrongSecondFactor');
  }

  const acceptCode = async (asking: Asking, code: string): Promise<void> => {
    await guarded(asking, () => factors.take(asking.actor.id, code));
  };

  const confirm = (asking: Asking, first: FirstCode) =>
    guarded(asking, () => factors.confirm({ userId: asking.actor.id, ...first }));

  return {
    /** @throws AppError wrongSecondFactor, tooManyRequests */
    take: acceptCode,

    /** Confirms an offered second factor. @throws AppError wrongSecondFactor, tooManyRequests, unauthorized */
    confirm,

    /**
     * Checks the second factor after the password. Does nothing if none is needed. If the account has one, its code is
     * required. If the role demands one that the account lacks, the first code of the offered factor is required, and
     * the recovery codes are returned. Also returns the epoch with which a session may be opened.
     *
     * @throws AppError secondFactorNeeded, secondFactorSetUpNeeded, wrongSecondFactor, tooManyRequests
     */
    async atLogin(asking: Asking, { code, epoch }: Login): Promise<{ recoveryCodes?: string[]; epoch: number }> {
      const isEnabled = await factors.isEnabled(asking.actor.id);
      if (!isEnabled && !factors.isDemanded(asking.actor)) return { epoch };
      if (code === undefined) throw new AppError(isEnabled ? 'secondFactorNeeded' : 'secondFactorSetUpNeeded');
      if (!isEnabled) return confirm(asking, { code, epoch, except: null });
      await acceptCode(asking, code);
      return { epoch };
    },
  };
}
