import type { Subject } from '../../server.ts';
import { accounts, everybody } from '../call-roles.ts';
import { isAccount, reading } from '../matrix-calls.ts';
import { type Cell, isAdmin, mayManage } from '../matrix-items.ts';
import type { OwnCalls } from '../own-calls.ts';

/** Admin roles, and accounts of its usergroups. */
const mayEditTogether = (who: Subject, { relation }: Cell): boolean =>
  isAccount(who) && (isAdmin(who) || who === 'GA' || (relation !== 'everyone' && relation !== 'nobody'));

/** Lists without an owner. */
export const calls: OwnCalls = {
  item: 'shiplist',
  roles: {
    listShipLists: everybody,
    createShipList: accounts,
    getShipList: everybody,
    updateShipList: accounts,
    deleteShipList: accounts,
    addListedShips: accounts,
    removeListedShips: accounts,
    exportShipList: accounts,
  },
  bodies: ({ usergroup }) => ({
    'POST /shiplists': { name: 'new', usergroups: [usergroup], securityClassification: 1 },
    'PUT /shiplists/:id': { name: 'changed', revision: 1 },
    'POST /shiplists/:id/ships': { ships: [{ mmsi: 211_000_001 }] },
    'DELETE /shiplists/:id/ships': { ships: [211_000_000] },
  }),
  rules: {
    getShipList: reading(({ id }) => `/api/shiplists/${id}`),
    exportShipList: { ...reading(({ id }) => `/api/shiplists/${id}/csv`), by: isAccount },
    updateShipList: {
      ask: ({ id }) => ({ method: 'PUT', url: `/api/shiplists/${id}`, payload: { name: 'n', revision: 1 } }),
      by: mayManage,
      needs: 'own item',
    },
    deleteShipList: {
      ask: ({ id }) => ({ method: 'DELETE', url: `/api/shiplists/${id}` }),
      by: mayManage,
      needs: 'own item',
    },
    addListedShips: {
      ask: ({ id }) => ({
        ...{ method: 'POST', url: `/api/shiplists/${id}/ships`, payload: { ships: [{ mmsi: 1 }] } },
      }),
      by: mayEditTogether,
    },
    removeListedShips: {
      ask: ({ id }) => ({ method: 'DELETE', url: `/api/shiplists/${id}/ships`, payload: { ships: [1] } }),
      by: mayEditTogether,
    },
  },
  elsewhere: {
    listShipLists: 'lists (ship lists tests)',
    createShipList: 'names none yet: the wanted label and groups are judged (ship lists tests)',
  },
};
