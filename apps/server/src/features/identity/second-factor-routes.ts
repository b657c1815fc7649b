import {
  type AccountFacts,
  AppError,
  confirmSecondFactor,
  getSecondFactor,
  offerSecondFactor,
  offerSecondFactorAtLogin,
  removeSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { callRoute, type Http, publicCallRoute } from '../../base/http/call-route.ts';
import type { Credentials } from './credentials.ts';
import type { PasswordLogin } from './password-login.ts';
import type { SecondFactors } from './second-factor.ts';
import type { SecondStep } from './second-step.ts';

export type SecondFactorRoutesDeps = Http & {
  factors: SecondFactors;
  step: SecondStep;
  passwordLogin: PasswordLogin;
  credentials: Credentials;
  /** Null if the account does not exist. */
  accountFacts: (userId: string) => Promise<AccountFacts | null>;
};

/** Routes for the second factor of the caller's account, and for removing that of an account whose owner lost it. */
export function secondFactorRoutes(deps: SecondFactorRoutesDeps): void {
  ownRoutes(deps);
  const { factors, passwordLogin, credentials } = deps;

  publicCallRoute(deps, offerSecondFactorAtLogin, async ({ input: { body }, request, audit }) => {
    const { actor } = await passwordLogin(body, request, audit);
    const offer = factors.isDemanded(actor) ? await factors.offer(actor) : null;
    if (offer === null) throw new AppError('secondFactorThere');
    return offer;
  });

  callRoute(deps, removeSecondFactorOf, async ({ input: { params }, actor, audit }) => {
    const facts = await deps.accountFacts(params.id);
    if (facts === null) throw new AppError('notFound');
    authorize(actor, 'user.resetPassword', facts);
    await factors.remove(params.id);
    await credentials.revokeAll(params.id);
    await audit.write({ action: 'secondFactor.remove', subject: params.id });
    return { message: `Second factor of ${facts.username} removed.` };
  });
}

function ownRoutes(deps: SecondFactorRoutesDeps): void {
  const { factors, step, passwordLogin } = deps;

  callRoute(deps, getSecondFactor, async ({ actor }) => factors.state(actor));

  callRoute(deps, offerSecondFactor, async ({ input: { body }, actor, request, audit }) => {
    await passwordLogin({ username: actor.username, password: body.password }, request, audit);
    const offer = await factors.offer(actor);
    if (offer === null) throw new AppError('secondFactorThere');
    return offer;
  });

  callRoute(deps, confirmSecondFactor, async ({ input: { body }, actor, session, request, audit }) => {
    const first = { code: body.code, epoch: session.userEpoch, except: session.credentialId };
    const { recoveryCodes } = await step.confirm({ actor, request, audit }, first);
    await audit.write({ action: 'secondFactor.confirm', subject: actor.id });
    return { recoveryCodes };
  });

  callRoute(deps, renewRecoveryCodes, async ({ input: { body }, actor, request, audit }) => {
    await step.take({ actor, request, audit }, body.code);
    await audit.write({ action: 'secondFactor.renewCodes', subject: actor.id });
    return { recoveryCodes: await factors.renewCodes(actor.id) };
  });

  callRoute(deps, removeSecondFactor, async ({ input: { body }, actor, request, audit }) => {
    if (factors.isDemanded(actor)) throw new AppError('secondFactorDemanded');
    await passwordLogin({ username: actor.username, password: body.password }, request, audit);
    await step.take({ actor, request, audit }, body.code);
    await factors.remove(actor.id);
    await audit.write({ action: 'secondFactor.remove', subject: actor.id });
    return { message: 'Second factor removed.' };
  });
}
