import type { AccessFacts } from '@osprey/contract';
import { accessChanges } from '../access/access-changes.ts';
import type { AuditedItem } from './request-audit.ts';

/** Returns the columns by which an audit row identifies an item. */
export const auditedItem = ({ id, securityClassification: itemLabel, usergroups }: AuditedItem) => ({
  ...{ itemId: id, itemLabel, usergroups },
});

/**
 * A change of one item, with the facts that its rights depend on before and after. `locked` is present if the item has
 * an edit lock, and true while that is on.
 */
export type AuditedChange = {
  before: AccessFacts & { locked?: boolean };
  after: AccessFacts & { id: string; locked?: boolean };
  reason: string | null;
};

/** Returns the audit row for a change. `further` names what changed besides label, audience and lock. */
export function auditedChange(action: string, change: AuditedChange, further: readonly string[] = []) {
  const { before, after, reason } = change;
  const lock = before.locked === after.locked ? [] : [after.locked ? 'locked' : 'unlocked'];
  return {
    action,
    ...auditedItem(after),
    result: [...accessChanges(before, after), ...lock, ...further].join('; ') || 'fields',
    ...(reason === null ? {} : { reason }),
  };
}

/** Maximum number of an item's parts that an audit row names; the remaining parts are only counted. */
const NAMED_MAX = 10;

/**
 * Returns the audit row about parts of an item. The row has the item's label and usergroups; `parts` are named in its
 * result.
 */
export function auditedParts(action: string, item: AuditedItem, parts: readonly string[]) {
  const more = parts.length - NAMED_MAX;
  const result = parts.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return { action, ...auditedItem(item), result };
}
