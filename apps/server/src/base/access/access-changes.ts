import type { AccessFacts } from '@osprey/contract';

/** Describes a change of label and audience as text for the audit; empty if neither changed. */
export function accessChanges(before: AccessFacts, after: AccessFacts): string[] {
  const isLabelled = before.securityClassification !== after.securityClassification;
  const isShared = before.audience !== after.audience || `${before.usergroups}` !== `${after.usergroups}`;
  return [
    ...(isLabelled ? [`label ${before.securityClassification} -> ${after.securityClassification}`] : []),
    ...(isShared
      ? [`audience ${before.audience} [${before.usergroups}] -> ${after.audience} [${after.usergroups}]`]
      : []),
  ];
}
