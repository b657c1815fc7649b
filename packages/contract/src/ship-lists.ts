import { z } from 'zod';
import { classification, classificationWord } from './access/labels.ts';
import { station } from './ais.ts';
import { defineCall, done, id, micros, reasonText } from './core/call.ts';
import { SHIP_LIST_NAME_MAX, SHIP_LIST_SHIPS_MAX, SHIP_LISTS_MAX, SHIP_NOTE_MAX } from './core/limits.ts';
import { audiences } from './missions.ts';

const name = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(SHIP_LIST_NAME_MAX, `The name is longer than ${SHIP_LIST_NAME_MAX} characters`)
  .regex(/^\P{Cc}*$/u, 'Control characters are not allowed');
/** Colour of the list's ships on the map and in the table; null if ships keep the colour of their type. */
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Not a colour: use #rrggbb')
  .transform((text) => text.toLowerCase())
  .nullable();
const mmsi = z.int().min(1, 'An MMSI has up to nine digits').max(999_999_999, 'An MMSI has up to nine digits');
const usergroups = z
  .array(id)
  .max(200)
  .transform((ids) => [...new Set(ids)]);

export const listedShip = z.object({
  mmsi,
  /** Note as plain text. */
  note: z
    .string()
    .trim()
    .max(SHIP_NOTE_MAX, `A note is longer than ${SHIP_NOTE_MAX} characters`)
    .regex(/^\P{Cc}*$/u, 'Control characters are not allowed')
    .default(''),
});
export type ListedShip = z.output<typeof listedShip>;
const ships = z.array(listedShip).max(SHIP_LIST_SHIPS_MAX, `More than ${SHIP_LIST_SHIPS_MAX} ships`);

export const shipListRow = z.object({
  _id: id,
  name: z.string(),
  colour,
  securityClassification: classificationWord,
  audience: z.enum(audiences),
  /** Ids of usergroups; only those that the caller may know of. */
  usergroups: z.array(id),
  owner: z.string(),
  /** True if the caller made the list. */
  own: z.boolean(),
  ships: z.int(),
  changed: micros,
  /** Sent back with PUT, which fails with 409 if the list was changed in the meantime. */
  revision: z.int(),
  /**
   * Rights of the caller. `editable`: may put ships on the list. `deletable`: may change its name, colour, label and
   * audience, and delete it.
   */
  editable: z.boolean(),
  deletable: z.boolean(),
});
export type ShipListRow = z.output<typeof shipListRow>;

/** A list with its ships, identified by MMSI. */
export const shipList = shipListRow.extend({
  listed: z.array(listedShip.extend({ mmsiText: station.mmsiText })),
});
export type ShipList = z.output<typeof shipList>;

export const newShipList = z.strictObject({
  name,
  colour: colour.default(null),
  securityClassification: classification,
  /** `groups` with no usergroups means that only the caller sees the list. */
  audience: z.enum(audiences).default('groups'),
  usergroups: usergroups.default([]),
  ships: ships.default([]),
});

/** Changed fields of a ship list; omitted fields keep their values. */
export const changedShipList = z.strictObject({
  name: name.optional(),
  colour: colour.optional(),
  securityClassification: classification.optional(),
  audience: z.enum(audiences).optional(),
  usergroups: usergroups.optional(),
  revision: z.int(),
  /** Required for lowering the label or widening the audience. */
  reason: reasonText.optional(),
});
export type ChangedShipList = z.output<typeof changedShipList>;
export type NewShipList = z.output<typeof newShipList>;

const params = z.object({ id });
const read = ['notSignedIn', 'notFound'] as const;
const write = ['invalid', ...read, 'forbidden'] as const;
const sharing = ['labelAboveGroup', 'hidesFromMaker', 'unknownUsergroup'] as const;

export const listShipLists = defineCall({
  method: 'GET',
  path: '/shiplists',
  summary: 'Lists ship lists that the caller may read, by name, at most 500',
  action: 'shiplist.list',
  input: z.object({
    query: z.strictObject({
      /** Returns only the lists that contain this ship. */
      mmsi: z
        .string()
        .regex(/^\d{1,9}$/, 'An MMSI has up to nine digits')
        .transform(Number)
        .optional(),
    }),
  }),
  answer: z.array(shipListRow),
  errors: ['invalid', 'notSignedIn'],
});

export const createShipList = defineCall({
  method: 'POST',
  path: '/shiplists',
  summary: `Creates a ship list for the caller only or for usergroups, at most ${SHIP_LISTS_MAX} for each account`,
  action: 'shiplist.createAny',
  input: z.object({ body: newShipList }),
  answer: shipListRow.extend({ message: z.string() }),
  errors: ['invalid', 'notSignedIn', 'forbidden', 'ruleRefused', ...sharing],
});

export const getShipList = defineCall({
  method: 'GET',
  path: '/shiplists/:id',
  summary: 'Returns one ship list with its ships',
  action: 'shiplist.read',
  input: z.object({ params }),
  answer: shipList,
  errors: read,
});

export const updateShipList = defineCall({
  method: 'PUT',
  path: '/shiplists/:id',
  summary: 'Changes name, colour, label or audience of a ship list',
  action: 'shiplist.own',
  input: z.object({ params, body: changedShipList }),
  answer: shipListRow,
  errors: [...write, 'revisionConflict', 'reasonNeeded', ...sharing],
});

export const deleteShipList = defineCall({
  method: 'DELETE',
  path: '/shiplists/:id',
  summary: 'Deletes a ship list. Its ships stay',
  action: 'shiplist.delete',
  input: z.object({ params }),
  answer: done,
  errors: [...read, 'forbidden'],
});

export const addListedShips = defineCall({
  method: 'POST',
  path: '/shiplists/:id/ships',
  summary: 'Adds ships to a list. A ship already on it gets the new note, if there is one',
  action: 'shiplist.update',
  input: z.object({ params, body: z.strictObject({ ships: ships.min(1, 'No ship is chosen') }) }),
  answer: done.extend({ added: z.int() }),
  errors: [...write, 'ruleRefused'],
});

export const removeListedShips = defineCall({
  method: 'DELETE',
  path: '/shiplists/:id/ships',
  summary: 'Removes ships from a list',
  action: 'shiplist.update',
  input: z.object({
    params,
    body: z.strictObject({ ships: z.array(mmsi).min(1, 'No ship is chosen').max(SHIP_LIST_SHIPS_MAX) }),
  }),
  answer: done,
  errors: write,
});

export const exportShipList = defineCall({
  method: 'GET',
  path: '/shiplists/:id/csv',
  summary: 'Exports the ships of a list as CSV: mmsi, name as far as the caller may hear it, note',
  action: 'shiplist.export',
  input: z.object({ params }),
  answer: z.unknown(),
  raw: 'media',
  errors: [...read, 'forbidden'],
});
