import type { Generated, GeneratedAlways } from 'kysely';

declare module '../../base/db/schema.ts' {
  interface Database {
    ship_lists: {
      id: Generated<string>;
      name: string;
      /** Colour as #rrggbb; null if ships keep the colour of their type. */
      colour: string | null;
      classification: number;
      audience: 'everyone' | 'groups';
      owner_id: string | null;
      owner: string;
      created: number;
      changed: number;
      revision: Generated<number>;
      epoch: Generated<number>;
      deleted_time: number | null;
    };
    ship_list_usergroups: { shiplist_id: string; usergroup_id: string };
    ship_list_ships: { shiplist_id: string; mmsi: number; note: Generated<string> };
    /** Sources of AIS: a platform's sensor, and the mission that it was recorded into, if any. */
    ais_sources: {
      id: GeneratedAlways<number>;
      /** Sensor of the platform, or of the mission if files were uploaded. */
      sensor_id: string;
      name: string;
      platform_id: string | null;
      mission_id: string | null;
      created: number;
    };
    ais_files: { key: string; source_id: number; read_bytes: number };
    /** Minutes of UTC in which a source received anything. */
    ais_heard: { source_id: number; minute: number };
    /** The last position of each station in a minute, packed as features/ais/minutes.ts says. */
    ais_minutes: { source_id: number; minute: number; ships: Buffer };
    /** Positions of receivers, as reported by themselves or set by hand. */
    ais_receivers: { sensor_id: string; lat: number; lon: number; origin: 'receiver' | 'hand' };
    /** The farthest ship of each day (days since 1970, UTC) and sector of 10 degrees. */
    ais_ranges: { source_id: number; day: number; sector: number; metres: number; mmsi: number; time: number };
    ais_last: AisPositionRow;
    ais_vessels: {
      source_id: number;
      mmsi: number;
      time: number;
      name: string | null;
      call_sign: string | null;
      imo: number | null;
      ship_type: number | null;
      aid_type: number | null;
      /** Distance from the antenna, in metres. */
      to_bow: number | null;
      to_stern: number | null;
      to_port: number | null;
      to_starboard: number | null;
      /** Draught, in tenths of a metre. */
      draught: number | null;
      destination: string | null;
      /** Estimated time of arrival: MM-DD HH:MM, UTC. */
      eta: string | null;
      fix_type: number | null;
      is_virtual: boolean | null;
    };
    ais_names: { source_id: number; mmsi: number; name: string; first_time: number; last_time: number };
    ais_positions: AisPositionRow;
    ais_mission_positions: AisPositionRow;
  }
}

/** A stored position. Units are described in migration 0030. */
export type AisPositionRow = {
  source_id: number;
  mmsi: number;
  time: number;
  lat: number;
  lon: number;
  sog: number | null;
  cog: number | null;
  heading: number | null;
  turn: number | null;
  status: number | null;
  message_type: number;
  fix_type: number | null;
  /** Bits: 1 the position is far from the one before it, 2 the time stated was in the future, 4 off position (AtoN), 8 good to 10 m. */
  flags: number;
};
