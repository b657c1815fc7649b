import { type Classification, classificationRank, type Readers } from '@osprey/contract';
import { fill, formatNumber } from '../../base/format.ts';
import { texts } from './sharing-texts.ts';

const words = texts.readers;
const NAMES_SHOWN = 5;
const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

export type ReadersOf = {
  readers: Readers;
  label: Classification;
  /** The audience is everyone with an account, instead of user groups. */
  everyone: boolean;
  /** The item may also be shared with user groups that the user cannot see. */
  partial?: boolean | undefined;
};

/**
 * Returns a sentence about the possible readers of an item, followed by one sentence for each group whose ceiling hides
 * it.
 */
export function readersTexts(of: ReadersOf): string[] {
  const { readers, label, everyone } = of;
  if (everyone) return [whoText(of)];
  const hiding = readers.groups.filter(({ shows }) => !shows);
  const ceilings = hiding.map(({ name, ceiling }) => fill(words.ceiling, { name, label, ceiling }));
  return [whoText(of), ...ceilings];
}

function whoText({ readers, label, everyone, partial = false }: ReadersOf): string {
  const { people } = readers;
  if (readers.everyone) return readers.guests ? words.everyoneAndGuests : words.everyone;
  if (people === 0) return words.nobody;
  const names = namesOf(readers);
  if (!everyone && names === null) return partial ? words.superAdminsAtLeast : words.superAdmins;
  const who = everyone ? fill(words.cleared, { label }) : fill(words.groups, { groups: names });
  if (people !== null) return fill(people === 1 ? words.person : words.people, { count: formatNumber(people), who });
  // A number includes only accounts with sufficient clearance; the names of groups do not, so the condition is added.
  const cleared = everyone || classificationRank(label) === 1 ? who : fill(words.ifCleared, { who, label });
  return fill(partial ? words.atLeast : words.visible, { who: cleared });
}

/** Returns the names of the groups that can see the item; null if none can. */
function namesOf({ groups }: Readers): string | null {
  const names = groups.filter(({ shows }) => shows).map(({ name }) => name);
  if (names.length === 0) return null;
  const more = names.length - NAMES_SHOWN;
  const shown = names.slice(0, NAMES_SHOWN);
  return list.format(more > 0 ? [...shown, fill(words.more, { count: formatNumber(more) })] : shown);
}
