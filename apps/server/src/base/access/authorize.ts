import {
  type AccessFacts,
  type AccountAction,
  type AccountFacts,
  type Actor,
  AppError,
  can,
  type DocumentAction,
  type DocumentFacts,
  type ItemAction,
  type PlainAction,
} from '@osprey/contract';
import { type AskedItem, decisionsOfRequest } from './decisions.ts';

/** With the id of the item, so that the audit can name it and a media token can be held to it. */
export type ItemFacts = AccessFacts & { id?: string };

/** The one door. REST, media, sockets and exports all come through here, so the audit can too. */
export function authorize(actor: Actor | null, action: ItemAction, facts: ItemFacts): void;
export function authorize(
  actor: Actor | null,
  action: DocumentAction,
  facts: DocumentFacts & Pick<ItemFacts, 'id'>,
): void;
export function authorize(actor: Actor | null, action: AccountAction, facts: AccountFacts): void;
export function authorize(actor: Actor | null, action: PlainAction): void;
export function authorize(
  actor: Actor | null,
  action: ItemAction | DocumentAction | AccountAction | PlainAction,
  facts?: ItemFacts | AccountFacts,
): void {
  const decisions = decisionsOfRequest();
  if (decisions) {
    decisions.asked.add(action);
    if (facts) decisions.item = askedItem(facts);
    if (decisions.onlyItem !== null && decisions.onlyItem !== facts?.id) throw new AppError('notFound');
  }
  const verdict = can(actor, action as ItemAction, facts as AccessFacts);
  if (!verdict.allowed) throw new AppError(verdict.code);
}

const askedItem = (facts: ItemFacts | AccountFacts): AskedItem => ({
  id: facts.id ?? null,
  label: 'securityClassification' in facts ? facts.securityClassification : null,
  usergroups: facts.usergroups,
});
