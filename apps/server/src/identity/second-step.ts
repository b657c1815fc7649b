import { type Actor, AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { RequestAudit } from '../audit/request-audit.ts';
import { failureLimit } from '../http/rate-limit.ts';
import type { SecondFactors } from './second-factor.ts';

/** As for passwords: five wrong codes for one account from one address are free, then each waits. */
const FREE_FAILURES = 5;
const WINDOW_MS = 15 * 60_000;
const FIRST_WAIT_MS = 30_000;

type Asking = { actor: Actor; request: FastifyRequest; audit: RequestAudit };

export type SecondStep = ReturnType<typeof secondStep>;

/** What stands between a right password and a session. */
export function secondStep({ factors, nowMs }: { factors: SecondFactors; nowMs: () => number }) {
  const failures = failureLimit({ free: FREE_FAILURES, windowMs: WINDOW_MS, waitMs: FIRST_WAIT_MS, nowMs });

  async function guarded<Answer>({ actor, request, audit }: Asking, look: () => Promise<Answer | null | false>) {
    const key = `${request.ip} ${actor.id}`;
    failures.check(key);
    const answer = await look();
    // Again: others that came together with this one may have used up the free ones, and it tells no more than they.
    failures.check(key);
    if (answer) {
      failures.succeeded(key);
      return answer;
    }
    failures.failed(key);
    await audit.write({
      action: 'secondFactor.use',
      itemId: actor.id,
      decision: 'refused',
      result: 'wrongSecondFactor',
    });
    throw new AppError('wrongSecondFactor');
  }

  const take = async (asking: Asking, code: string): Promise<void> => {
    await guarded(asking, () => factors.take(asking.actor.id, code));
  };

  const confirm = (asking: Asking, code: string): Promise<string[]> =>
    guarded(asking, () => factors.confirm(asking.actor.id, code));

  return {
    /** @throws AppError wrongSecondFactor, tooManyRequests */
    take,

    /** Makes an offer count; answers the recovery codes. @throws AppError wrongSecondFactor, tooManyRequests */
    confirm,

    /**
     * After the password: nothing where no second factor is needed, the code where one is, and where the role demands
     * one that is not there yet the first code of the offer, which then answers recovery codes.
     *
     * @throws AppError secondFactorNeeded, secondFactorSetUpNeeded, wrongSecondFactor, tooManyRequests
     */
    async atLogin(asking: Asking, code: string | undefined): Promise<{ recoveryCodes?: string[] }> {
      const isEnabled = await factors.isEnabled(asking.actor.id);
      if (!isEnabled && !factors.isDemanded(asking.actor)) return {};
      if (code === undefined) throw new AppError(isEnabled ? 'secondFactorNeeded' : 'secondFactorSetUpNeeded');
      if (!isEnabled) return { recoveryCodes: await confirm(asking, code) };
      await take(asking, code);
      return {};
    },
  };
}
