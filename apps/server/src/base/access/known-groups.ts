import { type Actor, isAdmin } from '@osprey/contract';

/** Whether an actor may know of the group with this id: admins know of all groups, other actors of their own. */
export const knowsGroup = (actor: Actor, id: string): boolean =>
  isAdmin(actor) || actor.groups.some((group) => group._id === id);
