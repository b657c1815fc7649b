import type { AccessFacts } from '@osprey/contract';
import { accessChanges } from '../access/access-changes.ts';
import type { AuditedItem } from './request-audit.ts';

/** The item that a row of the audit is about. */
export const auditedItem = ({ id, securityClassification: itemLabel, usergroups }: AuditedItem) => ({
  ...{ itemId: id, itemLabel, usergroups },
});

/** A change of one item: what its rights went by before and after. `locked`: it has an edit lock, and that is on. */
export type AuditedChange = {
  before: AccessFacts & { locked?: boolean };
  after: AccessFacts & { id: string; locked?: boolean };
  reason: string | null;
};

/** Row of the audit about a change; `further`: what changed besides label, audience and lock. */
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

/** Parts of an item that a row of the audit names; of more it says how many. */
const NAMED_MAX = 10;

/** Row of the audit about parts of an item, whose rights count; `parts` names them. */
export function auditedParts(action: string, item: AuditedItem, parts: readonly string[]) {
  const more = parts.length - NAMED_MAX;
  const result = parts.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return { action, ...auditedItem(item), result };
}
