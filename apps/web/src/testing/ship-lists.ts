import type { ShipListRow } from '@osprey/contract';
import { newId } from './fake-api.ts';

/** Test support: a ship list as returned to its owner. */
export const shipListOf = (fields: Partial<ShipListRow> = {}): ShipListRow => ({
  ...{ _id: newId(), name: 'Tankers', colour: '#ff8800', securityClassification: 'RESTRICTED' },
  ...{ audience: 'groups', usergroups: [], owner: 'ana', own: true, ships: 1, changed: 0, revision: 1 },
  ...{ editable: true, deletable: true },
  ...fields,
});
