import type { AisDated, CasePartKind } from '@osprey/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Json } from '../db/schema.ts';

/** How a file is read if the rules leave a choice. */
export type FileReading = {
  /** The video that this sensor shows if the file has several; by default the first. Other choices keep it. */
  videoPid?: number;
  klvPid?: number;
  clock?: 'other' /** It begins where the file before it ends. */;
  joined?: true;
  /** Times of AIS sentences that say none: UTC microseconds of the first line, and lines a second. */
  ais?: { startUs: number; perSecond: number };
};

export type MissionTable = {
  id: Generated<string>;
  name: string;
  description: string;
  classification: number;
  /** False: the label was never chosen. */
  marked: boolean;
  /** Highest mark ever seen in the stream (ST 0102): only a higher one raises the label again. Null without one. */
  stream_mark: number | null;
  audience: 'everyone' | 'groups';
  country_code: string | null;
  country_name: string | null;
  rating: number;
  tags: string[];
  state: Generated<string>;
  platform_name: string;
  platform_type: string;
  platform_color: string;
  sort_order: number;
  author_id: string | null;
  creation_time: number;
  start_time: number | null;
  end_time: number | null;
  area_sq_km: number | null;
  /** GeoJSON MultiPolygon of what its sensors saw. */
  area: Json<unknown> | null;
  place_lon: number | null;
  place_lat: number | null;
  views: Generated<number>;
  thumbnail: string | null;
  sample: Generated<boolean>;
  message: string | null;
  revision: Generated<number>;
  /** Rises when label or audience narrows; media tokens and sockets compare it. */
  epoch: Generated<number>;
  deleted_time: number | null;
  deleted_by: string | null;
  /** Set: nothing deletes it, no rule and no user. */
  hold_reason: string | null;
  hold_time: number | null;
  hold_by: string | null;
  /** The platform whose recording it is; null for what was brought. No key: platforms may go. */
  platform_id: Generated<string | null>;
  recording_start_time: Generated<number | null>;
  recording_end_time: Generated<number | null>;
};

export type MissionUsergroupTable = { mission_id: string; usergroup_id: string };

/** Names that missions had before they were renamed. */
export type MissionOldNameTable = { mission_id: string; name: string; until: number; renamed_by: string | null };

export type SensorTable = {
  id: Generated<string>;
  mission_id: string;
  name: string;
  description: string;
  type: string;
  position: number;
  state: Generated<string>;
  creation_time: number;
  start_time: number | null;
  end_time: number | null;
  views: Generated<number>;
  time_source: string | null;
  time_shift: Generated<number>;
  thumbnail: string | null;
  /** { codec, width, height, frameRate, … } of the pictures; null before ingest or without video. */
  video: Json<unknown> | null;
  duration_seconds: number | null;
  /** { state, text } for the table. */
  klv_status: Json<unknown> | null;
  /** Storage keys of what was made from its files: timeline, telemetry, health. Null until ingested. */
  index_key: string | null;
  message: string | null;
  /** The sensor of the platform that it is recorded from. */
  live_sensor_id: Generated<string | null>;
  recording_start_time: Generated<number | null>;
  recording_end_time: Generated<number | null>;
};

export type FileTable = {
  id: Generated<string>;
  sensor_id: string;
  kind: string;
  /** As the user's machine had it; never part of a path. */
  name: string;
  size_bytes: number;
  sha256: string | null;
  storage_key: string;
  /** Storage key of the playable rendition where the original needed transcoding. */
  rendition_key: string | null;
  state: Generated<string>;
  /** Finding of its last reading. */
  message: string | null;
  /** Facts known when it came that its bytes do not hold: kept through all readings. */
  remark: Generated<string | null>;
  /** Telemetry files only: added to its times by a user, microseconds. */
  time_offset: Generated<number>;
  /** Telemetry files only: a user exchanged latitude and longitude. */
  coordinates_exchanged: Generated<boolean>;
  /** A user's choice of the KLV stream that is shown, and of the reading of its clock; null: by the rules. */
  reading: ColumnType<FileReading | null, string | null | undefined, string | null>;
  /** Files of AIS only: how many positions and static data each rule dated; null until it is read. */
  ais_dated: ColumnType<AisDated | null, string | null | undefined, string | null>;
  /** The browser's word on the file's own time, microseconds. */
  last_modified: number | null;
  start_time: number | null;
  end_time: number | null;
  position: Generated<number>;
  uploaded_by: string | null;
  created: number;
};

export type DocumentTable = {
  id: Generated<string>;
  title: string;
  description: string;
  document_type: string;
  platform_name: string;
  classification: number;
  /** False: the label was never chosen. */
  marked: boolean;
  audience: 'everyone' | 'groups';
  /** `restricted` on the wire: who may change or delete it; it says nothing of who may read. */
  edit_lock: boolean;
  tags: string[];
  author_id: string | null;
  author: string;
  creation_time: number;
  state: Generated<string>;
  message: string | null;
  /** As the user's machine had it; never part of a path. */
  file_name: string;
  /** Kind of the bytes: pdf, jpeg, text, … */
  content: string;
  size_bytes: number;
  sha256: string;
  storage_key: string;
  thumbnail: Generated<boolean>;
  pages: number | null;
  /** How much of the text inside is searched: none, fields, part, all. */
  text_scope: Generated<string>;
  body_words: string | null;
  /** GeoJSON geometry, WGS 84. */
  geometry: Json<unknown> | null;
  /** Null, `file` when it was found in the file, `user` when a user drew it. */
  geometry_source: string | null;
  /** Made by a trigger. */
  head_text: Generated<string>;
  revision: Generated<number>;
  epoch: Generated<number>;
  deleted_time: number | null;
  deleted_by: string | null;
};

export type DocumentUsergroupTable = { document_id: string; usergroup_id: string };

export type PlatformTable = {
  id: Generated<string>;
  name: string;
  description: string;
  type: string;
  color: string;
  classification: number;
  /** False: the label was never chosen. */
  marked: boolean;
  audience: 'everyone' | 'groups';
  priority: number;
  autostart: boolean;
  /** PlatformRecord of the contract. */
  record: Json<unknown>;
  created: number;
  updated: number;
  deleted_time: number | null;
  /** Highest mark ever seen in its streams: only a higher one raises the label again. */
  stream_mark: Generated<number | null>;
  /** Rises with each change of its rights. */
  epoch: Generated<number>;
};

export type PlatformUsergroupTable = { platform_id: string; usergroup_id: string };

export type PlatformSensorTable = {
  id: Generated<string>;
  platform_id: string;
  name: string;
  description: string;
  type: string;
  /** With *** in place of secrets. */
  url: string;
  /** The secret that *** replaces, encrypted with the key of platforms; null if the address holds none. */
  secret: string | null;
  /** Addresses or networks that may send; empty: any. */
  senders: string[];
  position: number;
  /** A user switched its source on or off; null: as `autostart` of its platform says. */
  switched: Generated<boolean | null>;
  /** PID of the KLV stream that a user chose; null: by the rules. */
  klv_pid: Generated<number | null>;
};

/** The frame that a document of type Image shows, where it is a snapshot. */
export type SnapshotTable = {
  document_id: string;
  /** Null once the mission is deleted for good, and for a live stream that was not recorded. */
  mission_id: string | null;
  sensor_id: string | null;
  sensor_name: string;
  /** Frame anchor; null where the sensor had no file with this frame. */
  file_id: string | null;
  run: number | null;
  pts: number | null;
  /** UTC of the frame when it was taken. */
  taken_time: number;
  picture: 'server' | 'browser';
  /** The second picture, with overlays; both null if there is none. */
  overlays_sha256: Generated<string | null>;
  overlays_bytes: Generated<number | null>;
  /** { time, values, hex } of the last set at or before the frame. */
  telemetry: Json<unknown> | null;
};

declare module '../db/schema.ts' {
  interface Database {
    missions: MissionTable;
    mission_usergroups: MissionUsergroupTable;
    mission_old_names: MissionOldNameTable;
    sensors: SensorTable;
    files: FileTable;
    documents: DocumentTable;
    snapshots: SnapshotTable;
    document_usergroups: DocumentUsergroupTable;
    platforms: PlatformTable;
    platform_usergroups: PlatformUsergroupTable;
    platform_sensors: PlatformSensorTable;
    /** View: what cases on hold keep from being deleted. */
    case_holds: {
      case_id: string;
      number: number;
      kind: CasePartKind;
      subject_id: string | null;
      mission_id: string | null;
    };
  }
}
