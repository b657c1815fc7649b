import type { StoredItems } from '../../../base/items/table.ts';

export const shipListItem = {
  shiplist: {
    table: 'ship_lists',
    links: { table: 'ship_list_usergroups', key: 'shiplist_id' },
    name: 'name',
    author: 'owner_id',
    authorReads: true,
    parts: ['ship_list_ships'],
  },
} as const satisfies StoredItems;
