import type { Generated } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    rooms: {
      id: Generated<string>;
      name: string;
      /** The lowest ceiling of its usergroups; maintained by triggers. */
      classification: number;
      audience: Generated<'everyone' | 'groups'>;
      epoch: Generated<number>;
      empty_timeout_s: number;
      max_participants: number;
      maker_id: string | null;
      created: number;
      /** Since when the room is empty; null while it is occupied, and before the first member came. */
      empty_since: number | null;
      /** True if the room has ever been occupied. */
      used: Generated<boolean>;
      deleted_time: number | null;
    };
    room_usergroups: { room_id: string; usergroup_id: string };
  }
}
