import type { AisDated, CasePartKind } from '@osprey/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Json } from '../db/schema.ts';

/** A user's choices of how a file is read where the rules allow several. */
export type FileReading = {
  /**
   * PID of the video that this sensor shows if the file has several; the first by default. The choice is kept when
   * others are made.
   */
  videoPid?: number;
  klvPid?: number;
  clock?: 'other' /** It begins where the file before it ends. */;
  joined?: true;
  /** Timing for AIS sentences that contain no times: UTC microseconds of the first line, and lines per second. */
  ais?: { startUs: number; perSecond: number };
};

export type MissionTable = {
  id: Generated<string>;
  name: string;
  description: string;
  classification: number;
  /** False: the label was never chosen. */
  marked: boolean;
  /**
   * Highest security mark ever found in the stream (ST 0102); null if none was. Only a higher mark raises the label
   * again.
   */
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
  /** Area observed by its sensors, as a GeoJSON MultiPolygon. */
  area: Json<unknown> | null;
  place_lon: number | null;
  place_lat: number | null;
  views: Generated<number>;
  thumbnail: string | null;
  sample: Generated<boolean>;
  message: string | null;
  revision: Generated<number>;
  /** Incremented when label or audience narrows. Media tokens and sockets compare it. */
  epoch: Generated<number>;
  deleted_time: number | null;
  deleted_by: string | null;
  /** While set, neither rules nor users can delete the mission. */
  hold_reason: string | null;
  hold_time: number | null;
  hold_by: string | null;
  /**
   * The platform that was recorded; null for uploaded missions. It is not a foreign key, since platforms may be
   * removed.
   */
  platform_id: Generated<string | null>;
  recording_start_time: Generated<number | null>;
  recording_end_time: Generated<number | null>;
  /** Name, description, platform and tags in lower case, in which words are searched; written by a trigger. */
  head_text: Generated<string>;
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
  /** Shown in the table of sensors: { state, text }. */
  klv_status: Json<unknown> | null;
  /** Storage keys of the indexes built from its files: timeline, telemetry, health. Null before ingest. */
  index_key: string | null;
  /** The index for which the sheets of its pictures were made; null before that. */
  sheets_of: Generated<string | null>;
  message: string | null;
  /** The sensor of the platform that this sensor was recorded from. */
  live_sensor_id: Generated<string | null>;
  recording_start_time: Generated<number | null>;
  recording_end_time: Generated<number | null>;
};

export type FileTable = {
  id: Generated<string>;
  sensor_id: string;
  kind: string;
  /** File name on the user's machine; never used in a path. */
  name: string;
  size_bytes: number;
  sha256: string | null;
  storage_key: string;
  /** Storage key of the playable rendition where the original needed transcoding. */
  rendition_key: string | null;
  state: Generated<string>;
  /** Finding of its last reading. */
  message: string | null;
  /** Facts known at upload that cannot be derived from the bytes; kept whenever the file is read again. */
  remark: Generated<string | null>;
  /** Offset that a user added to the times of a telemetry file, in microseconds. */
  time_offset: Generated<number>;
  /** True if a user exchanged latitude and longitude of a telemetry file. */
  coordinates_exchanged: Generated<boolean>;
  /** A user's choices for reading the file, such as its KLV stream and its clock; null if the rules decide. */
  reading: ColumnType<FileReading | null, string | null | undefined, string | null>;
  /** For AIS files: number of positions and static data dated by each rule. Null until the file is read. */
  ais_dated: ColumnType<AisDated | null, string | null | undefined, string | null>;
  /** Modification time of the file as reported by the browser, in microseconds. */
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
  /** Restricts who may change or delete the document, but not who may read it. Named `restricted` in the API. */
  edit_lock: boolean;
  tags: string[];
  author_id: string | null;
  author: string;
  creation_time: number;
  state: Generated<string>;
  message: string | null;
  /** File name on the user's machine; never used in a path. */
  file_name: string;
  /** Kind of the bytes: pdf, jpeg, text, … */
  content: string;
  size_bytes: number;
  sha256: string;
  storage_key: string;
  thumbnail: Generated<boolean>;
  pages: number | null;
  /** Part of the document's text that is searchable: none, fields, part, all. */
  text_scope: Generated<string>;
  body_words: string | null;
  /** GeoJSON geometry, WGS 84. */
  geometry: Json<unknown> | null;
  /** Origin of the geometry: `file` if it was found in the file, `user` if a user drew it, null if there is none. */
  geometry_source: string | null;
  /** Maintained by a trigger. */
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
  /** Highest security mark ever found in its streams. Only a higher mark raises the label again. */
  stream_mark: Generated<number | null>;
  /** Incremented with each change of the platform's rights. */
  epoch: Generated<number>;
};

export type PlatformUsergroupTable = { platform_id: string; usergroup_id: string };

export type PlatformSensorTable = {
  id: Generated<string>;
  platform_id: string;
  name: string;
  description: string;
  type: string;
  /** Address in which *** replaces the secrets. */
  url: string;
  /** The secret that *** replaces, encrypted with the key of platforms; null if the address holds none. */
  secret: string | null;
  /** Addresses or networks that may send; empty: any. */
  senders: string[];
  position: number;
  /** Whether a user switched the source on or off; null if the platform's `autostart` applies. */
  switched: Generated<boolean | null>;
  /** PID of the KLV stream that a user chose; null if the rules decide. */
  klv_pid: Generated<number | null>;
};

/** The frame shown by a document of type Image that is a snapshot. */
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
  /** UTC of the frame, as known when the snapshot was taken. */
  taken_time: number;
  picture: 'server' | 'browser';
  /** The second picture, with overlays; both null if there is none. */
  overlays_sha256: Generated<string | null>;
  overlays_bytes: Generated<number | null>;
  /** Last telemetry set at or before the frame: { time, values, hex }. */
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
    /** View of everything that cases on hold protect from deletion. */
    case_holds: {
      case_id: string;
      number: number;
      kind: CasePartKind;
      subject_id: string | null;
      mission_id: string | null;
    };
  }
}
