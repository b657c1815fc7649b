import type { ActivityKind } from '@osprey/contract';

/** Patterns of actions by kind of activity. The first match counts; an action without a match counts as a change. */
const patterns: readonly [ActivityKind, RegExp][] = [
  ['session', /^(?:login|logout|credential\.|password\.|session\.|user\.(?:resetPassword|resetLink|endSession))/],
  ['watched', /^(?:media|live)\./],
  ['exported', /export|download|clip|snapshot/i],
  ['opened', /\.(?:read|area|list|health|path|points|timeline|search|open|verify)$/],
];

export const kindOf = (action: string): ActivityKind =>
  patterns.find(([, pattern]) => pattern.test(action))?.[0] ?? 'changed';
