import type { StoredItems } from '../../base/items/table.ts';

export const roomItem = {
  room: {
    table: 'rooms',
    links: { table: 'room_usergroups', key: 'room_id' },
    name: 'name',
    parts: [],
  },
} as const satisfies StoredItems;
