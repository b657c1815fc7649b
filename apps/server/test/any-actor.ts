import { type Actor, classifications, roles } from '@osprey/contract';
import fc from 'fast-check';

/** Any actor, in and over some of these groups with any ceilings. */
export const anyActor = (groupIds: readonly string[]): fc.Arbitrary<Actor> =>
  fc.record({
    id: fc.uuid(),
    username: fc.constant('x'),
    role: fc.constantFrom(...roles),
    clearance: fc.constantFrom(...classifications),
    groups: fc.uniqueArray(
      fc.record({ _id: fc.constantFrom(...groupIds), ceiling: fc.constantFrom(...classifications) }),
      { selector: ({ _id }) => _id },
    ),
    administered: fc.uniqueArray(fc.constantFrom(...groupIds)),
  });
