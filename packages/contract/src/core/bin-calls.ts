import { z } from 'zod';
import { defineCall, done, id } from './call.ts';
import type { ErrorCode } from './errors.ts';

type Binned<Plural extends string, Ids extends z.ZodType> = {
  plural: Plural;
  item: 'mission' | 'document' | 'annotation' | 'case';
  /** Schema of the ids in a body. */
  ids: Ids;
};

const OWN_OR_ADMIN = ': any for admins, for others those that they deleted themselves';

const idsIn = <Plural extends string, Ids extends z.ZodType>({ plural, ids }: Binned<Plural, Ids>) =>
  z.object({ body: z.strictObject({ [plural]: ids } as Record<Plural, Ids>) });

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

/** Returns the call that deletes one item of a kind; `title`: the item with its article. */
export const deleteOneCallOf = ({ plural, item }: Omit<Binned<string, z.ZodType>, 'ids'>, title: string) =>
  defineCall({
    method: 'DELETE',
    path: `/${plural}/:id`,
    summary: `Moves ${title} to the bin, where it stays for 30 days`,
    action: `${item}.delete`,
    input: z.object({ params: z.object({ id }) }),
    answer: done,
    errors: ['notSignedIn', 'forbidden', 'notFound', 'caseHeld'],
  });

/** Returns the call that deletes items of a kind; `refusals`: errors that not every kind has. */
export const deleteCallOf = <Plural extends string, Ids extends z.ZodType>(
  kind: Binned<Plural, Ids>,
  refusals: readonly ErrorCode[],
) =>
  defineCall({
    method: 'DELETE',
    path: `/${kind.plural}`,
    summary: `Moves ${kind.plural} to the bin, all or none, where they stay for 30 days`,
    action: `${kind.item}.delete`,
    input: idsIn(kind),
    answer: done,
    errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound', ...refusals],
  });

/** Returns the call that restores items of a kind; `whose`: text for its summary that states which ones. */
export const restoreCallOf = <Plural extends string, Ids extends z.ZodType>(
  kind: Binned<Plural, Ids>,
  whose = OWN_OR_ADMIN,
) =>
  defineCall({
    method: 'POST',
    path: `/${kind.plural}/restore`,
    summary: `Restores ${kind.plural} from the bin${whose}`,
    action: `${kind.item}.delete`,
    input: idsIn(kind),
    answer: done,
    errors: ['invalid', 'notSignedIn', 'forbidden', 'notFound'],
  });
