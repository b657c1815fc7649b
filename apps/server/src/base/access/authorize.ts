import {
  type Access,
  type AccessFacts,
  type AccountAction,
  type AccountFacts,
  type Actor,
  AppError,
  access,
  type FactsFor,
  type ItemAction,
  type PlainAction,
} from '@osprey/contract';
import { type AskedItem, decisionsOfRequest } from './decisions.ts';

/** Access facts with the item's id, so that the audit can name the item and a media token can be restricted to it. */
export type ItemFacts = AccessFacts & { id?: string };

/** Creates the `authorize` function for the items of `access`. Each decision is recorded for the audit. */
export const doorOf =
  ({ can }: Pick<Access, 'can'>) =>
  (actor: Actor | null, action: string, facts?: ItemFacts | AccountFacts): void => {
    const decisions = decisionsOfRequest();
    if (decisions) {
      decisions.asked.add(action);
      if (facts) decisions.item = askedItem(facts);
      if (decisions.onlyItem !== null && decisions.onlyItem !== facts?.id) throw new AppError('notFound');
    }
    const verdict = can(actor, action, facts);
    if (!verdict.allowed) throw new AppError(verdict.code);
  };

/**
 * Decides whether an actor may perform an action. REST, media, sockets and exports all call it, so that the audit
 * records each decision.
 */
export const authorize: {
  <Action extends ItemAction>(
    actor: Actor | null,
    action: Action,
    facts: FactsFor<Action> & Pick<ItemFacts, 'id'>,
  ): void;
  (actor: Actor | null, action: AccountAction, facts: AccountFacts): void;
  (actor: Actor | null, action: PlainAction): void;
} = doorOf(access);

const askedItem = (facts: ItemFacts | AccountFacts): AskedItem => ({
  id: facts.id ?? null,
  label: 'securityClassification' in facts ? facts.securityClassification : null,
  usergroups: facts.usergroups,
});
