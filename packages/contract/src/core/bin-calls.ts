import { z } from 'zod';
import { defineCall, done } from './call.ts';

type Binned<Plural extends string, Ids extends z.ZodType> = {
  plural: Plural;
  item: 'mission' | 'document' | 'annotation' | 'case';
  /** Schema of the ids in a body. */
  ids: Ids;
};

const OWN_OR_ADMIN = ': any for admins, for others those that they deleted themselves';

/** Returns the call that lists items of a kind in the bin. */
export const listBinOf = <Row extends z.ZodType>(
  { plural, item }: Pick<Binned<string, z.ZodType>, 'plural'> & { item: 'document' | 'annotation' | 'case' },
  row: Row,
) =>
  defineCall({
    method: 'GET',
    path: `/${plural}/bin`,
    summary: `Lists the ${plural} in the bin, last deleted first. They stay for 30 days`,
    action: `${item}.bin`,
    input: z.object({}),
    answer: z.array(row),
    errors: ['notSignedIn', 'forbidden'],
  });

/** Returns the call that restores items of a kind; `whose`: text for its summary that states which ones. */
export const restoreCallOf = <Plural extends string, Ids extends z.ZodType>(
  { plural, item, ids }: Binned<Plural, Ids>,
  whose = OWN_OR_ADMIN,
) =>
  defineCall({
    method: 'POST',
    path: `/${plural}/restore`,
    summary: `Restores ${plural} from the bin${whose}`,
    action: `${item}.delete`,
    input: z.object({ body: z.strictObject({ [plural]: ids } as Record<Plural, Ids>) }),
    answer: done,
    errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
  });
