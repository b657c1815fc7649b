import type { AisDated, CasePartKind } from '@osprey/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AuditEntry, ChainedRow, ChainHead } from './audit-rows.ts';

/** `bigint` arrives as a number: the pool parses int8, and microseconds are safe integers. Times are UTC microseconds. */
type Json<T> = ColumnType<T, string, string>;

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

export type Database = {
  settings: { key: string; value: Json<unknown> };
  users: {
    id: Generated<string>;
    username: string;
    /** Lower case: two accounts never differ in case alone. */
    username_key: string;
    first_name: Generated<string>;
    last_name: Generated<string>;
    company: Generated<string>;
    email: Generated<string>;
    country: Generated<string>;
    role: string;
    clearance: number;
    /** argon2id in PHC form; null for the guest, who has no password. */
    password_hash: string | null;
    disabled: Generated<boolean>;
    /** Registered and not approved yet; disabled too. */
    waiting: Generated<boolean>;
    /** Username, names, company and email in lower case; made by the database. */
    search_text: GeneratedAlways<string>;
    /** Rises with every change of rights or password; open sessions compare it. */
    epoch: Generated<number>;
    registered: number;
    last_access: number | null;
    deleted_time: number | null;
  };
  usergroups: {
    id: Generated<string>;
    name: string;
    description: Generated<string>;
    /** Ceiling: 1 UNCLASSIFIED to 5 TOP SECRET. */
    classification: number;
    live_modes: Generated<string[]>;
    created: number;
  };
  user_usergroups: { user_id: string; usergroup_id: string };
  user_administered: { user_id: string; usergroup_id: string };
  credentials: {
    id: Generated<string>;
    user_id: string;
    /** SHA-256 of the 256 random bits that the page keeps. */
    secret_hash: Buffer;
    /** SHA-256 of the cookie's value; null for credentials of scripts. */
    cookie_hash: Buffer | null;
    created: number;
    last_used: number;
    expires: number;
    client: string;
    address: string;
    /** Made for a program: it does not end by lying idle. */
    for_script: Generated<boolean>;
    /** Highest label that its session sees, 1 to 5. */
    ceiling: Generated<number>;
  };
  /** Links by which the owner of an account sets its password; at most one for each. */
  password_links: {
    user_id: string;
    /** SHA-256 of the 256 random bits in the link. */
    secret_hash: Buffer;
    created: number;
    expires: number;
    made_by: string | null;
  };
  second_factors: {
    user_id: string;
    /** Sealed; base32 inside. */
    secret: string;
    created: number;
    /** Null until a first code was given back. */
    confirmed: number | null;
    /** RFC 6238 time step of the last code taken: each is good once. */
    last_step: Generated<number>;
  };
  recovery_codes: { user_id: string; code_hash: Buffer };
  /** The account of an identity at a provider; never found by e-mail or name. */
  single_sign_on: { issuer: string; subject: string; user_id: string; created: number; last_sign_in: number };
  missions: {
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
  /** Names that missions had before they were renamed. */
  mission_old_names: { mission_id: string; name: string; until: number; renamed_by: string | null };
  mission_usergroups: { mission_id: string; usergroup_id: string };
  /**
   * Where a mission was, for the geo filter: polygons in lon, lat, and lines as polygons of their points. While a sensor is
   * recorded they come in numbered pieces, the last of which is replaced as it grows; ingest replaces them all by its own.
   */
  mission_shapes: {
    mission_id: string;
    sensor_id: string;
    aoi_mode: string;
    shape: string;
    piece: Generated<number | null>;
  };
  sensors: {
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
  /** `question`: shape and filter of Find by place, as its owner asked it. */
  saved_searches: {
    id: Generated<string>;
    user_id: string;
    name: string;
    question: Json<unknown>;
    created: number;
    notify: Generated<boolean>;
    /** Entries of the place, one of which a minute of footprints has that may meet it; null until they are made. */
    probes: Generated<number[] | null>;
  };
  /** Each time that a sensor which is recorded came to see the place of a saved search; seconds of the sensor's own clock. */
  search_hits: {
    id: Generated<string>;
    search_id: string;
    sensor_id: string;
    first: number;
    last: number;
    /** Every second from here to `last` shows the place. */
    unbroken: number;
    /** UTC microseconds at which the row was made, and at which its owner was notified; null until it is long enough. */
    made: number;
    notified: Generated<number | null>;
    /** When the place was last seen live, UTC microseconds. */
    in_sight: Generated<number>;
    seen: Generated<boolean>;
    cleared: Generated<boolean>;
  };
  /** The list of places of the site: at most one row. */
  site_place_list: { single: Generated<boolean>; file_name: string; uploaded: number; user_id: string | null };
  /** Rows of a list of site places; `folded` is the name without accents and capitals. Degrees, WGS 84. */
  site_places: { line: number; name: string; folded: string; kind: string; lat: number; lon: number };
  /** The index of a sensor that its rows of coverage_minutes were made from. */
  coverage_sensors: {
    sensor_id: string;
    /** `live` while it is recorded. */
    index_key: string;
    footprints: number;
    failed: Generated<boolean>;
    /** As those of its minutes, of all of them together; null where they were not gathered. */
    cells: Generated<number[] | null>;
    /** Bytes of each file that were read while it is recorded, by the id of the file. */
    live_read: Generated<unknown>;
    /** The last record of its ground, as `GroundRecord`: the next piece of its way begins there. */
    live_last: Generated<unknown>;
    /** When all that was recorded had been read, UTC microseconds by the clock of the database. */
    caught_up: Generated<number | null>;
    /** Whether its rows of coverage_seen were made. */
    seen: Generated<boolean>;
  };
  /** Footprints of one minute of a sensor's own clock, and the cells that they meet. */
  coverage_minutes: { sensor_id: string; minute: number; cells: Generated<number[]>; footprints: Buffer };
  /** In an hour of a sensor's own clock, the seconds in which cells of an area were seen: the last of each, and all of them. */
  coverage_seen: { area: number; sensor_id: string; hour: number; last: Buffer; runs: Buffer };
  files: {
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
  /** State of stored bytes. A row comes with the first reading or fault, for one file or one document. */
  stored_checks: {
    id: Generated<string>;
    file_id: string | null;
    document_id: string | null;
    /** When its bytes were last looked at: read from end to end, or found damaged. */
    checked: number | null;
    fault: 'missing' | 'size' | 'content' | 'unreadable' | null;
    /** Length of the file when the fault was found, bytes; null if the file was missing. */
    found_bytes: number | null;
    found: number | null;
    /** SHA-256 of the content that a backup holds in place of the damaged one. */
    kept_sha256: string | null;
    /** A user accepted that it is lost, and said why. */
    accepted: number | null;
    accepted_by: string | null;
    accepted_reason: string | null;
  };
  /** Titled moments of missions. */
  bookmarks: {
    id: Generated<string>;
    mission_id: string;
    /** Null: the sensor is gone. */
    sensor_id: string | null;
    /** The frame: file, run of its clock and PTS. All null until the recording has been read. */
    file_id: string | null;
    run: number | null;
    pts: number | null;
    /** UTC microseconds that the frame had when it was last asked for. */
    last_time: number;
    title: string;
    text: string;
    color: string;
    tags: string[];
    /** Name of the picture that its maker chose, below pictures/{mission}. */
    thumbnail: string | null;
    author_id: string | null;
    author: string;
    editor: string;
    created: number;
    revision: Generated<number>;
    deleted_time: Generated<number | null>;
  };
  /** Kept spans of missions. */
  clips: {
    id: Generated<string>;
    mission_id: string;
    title: string;
    note: string;
    tags: string[];
    author_id: string | null;
    author: string;
    editor: string;
    created: number;
    revision: Generated<number>;
  };
  /** Span of each sensor in a clip. */
  clip_cuts: {
    clip_id: string;
    position: number;
    /** Null: the sensor is gone. */
    sensor_id: string | null;
    /** First and last frame: file, run of its clock and PTS. Null until the recording has been read. */
    in_file: string | null;
    in_run: number | null;
    in_pts: number | null;
    out_file: string | null;
    out_run: number | null;
    out_pts: number | null;
    /** UTC microseconds that they had when they were last asked for. */
    in_time: number;
    out_time: number;
  };
  sensor_views: { user_id: string; sensor_id: string; last_time: number };
  documents: {
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
  document_usergroups: { document_id: string; usergroup_id: string };
  document_shapes: { document_id: string; shape: string };
  /** The frame that a document of type Image shows, where it is a snapshot. */
  snapshots: {
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
  annotations: {
    id: Generated<string>;
    title: string;
    description: string;
    annotation_type: string;
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
    /** `Created` while its mission is a draft. */
    state: Generated<'Ready' | 'Created'>;
    mission_id: string | null;
    /** Part of the mission clock in which it is shown; null: always. */
    start_time: number | null;
    end_time: number | null;
    /**
     * Anchor: the frame on which the annotation was drawn. `frame_time` is the UTC derived from it last, from which the
     * span was computed.
     */
    sensor_id: Generated<string | null>;
    file_id: Generated<string | null>;
    run: Generated<number | null>;
    pts: Generated<number | null>;
    frame_time: Generated<number | null>;
    /** GeoJSON features. */
    features: Json<unknown>;
    geometries: number;
    vertices: number;
    /** Made by a trigger. */
    head_text: Generated<string>;
    revision: Generated<number>;
    epoch: Generated<number>;
    deleted_time: number | null;
    deleted_by: string | null;
    /** True if the deletion of its mission moved the annotation into the bin; restoring the mission restores it too. */
    deleted_with_mission: Generated<boolean>;
  };
  annotation_usergroups: { annotation_id: string; usergroup_id: string };
  /** Where each of its features is; `feature` counts from 0. */
  annotation_shapes: { annotation_id: string; feature: number; shape: string };
  /** Features of an annotation, with as many positions as maps up to this zoom can show. */
  annotation_levels: { annotation_id: string; zoom: number; features: Json<unknown>; vertices: number };
  cases: {
    id: Generated<string>;
    number: Generated<number>;
    name: string;
    description: string;
    /** The chosen minimum, raised by texts that are written into the case. */
    own_classification: number;
    /** The highest of its own and of its parts; kept by triggers. */
    classification: number;
    /** False: the label was never chosen. */
    marked: boolean;
    audience: 'everyone' | 'groups';
    owner_id: string | null;
    owner: string;
    created: number;
    changed: number;
    held: Generated<boolean>;
    held_time: Generated<number | null>;
    held_by: Generated<string | null>;
    revision: Generated<number>;
    epoch: Generated<number>;
    deleted_time: Generated<number | null>;
    deleted_by: Generated<string | null>;
  };
  case_usergroups: { case_id: string; usergroup_id: string };
  case_editors: { case_id: string; user_id: string };
  /** Migration 0033 says which of the ids rights go by. */
  case_parts: {
    id: Generated<string>;
    case_id: string;
    position: number;
    kind: CasePartKind;
    mission_id: string | null;
    document_id: string | null;
    annotation_id: string | null;
    bookmark_id: string | null;
    clip_id: string | null;
    sensor_id: string | null;
    /** Times of a track; else the last known ones. */
    start_time: number | null;
    end_time: number | null;
    /** Title of notes and tracks; else the last known one. */
    title: string;
    text: string | null;
    remark: string;
    /** The label of its source, kept by triggers; 1 for notes. */
    classification: Generated<number>;
    author_id: string | null;
    author: string;
    added: number;
    revision: Generated<number>;
    removed_time: Generated<number | null>;
    removed_by: Generated<string | null>;
    /** When the row that its rights went by was removed for good, and who could read that one. */
    gone_time: Generated<number | null>;
    gone_audience: Generated<'everyone' | 'groups' | null>;
    gone_groups: Generated<string[]>;
  };
  case_comments: {
    id: Generated<string>;
    case_id: string;
    author_id: string | null;
    author: string;
    text: string;
    created: number;
    edited: Generated<number | null>;
    struck_time: Generated<number | null>;
    struck_by: Generated<string | null>;
  };
  /** Versions of cases that were packed. */
  case_exports: {
    id: Generated<string>;
    case_id: string;
    version: number;
    created_time: number;
    created_by_id: string | null;
    created_by: string;
    /** Ceiling of the session that ordered it. */
    ceiling: Generated<number>;
    classification: number;
    /** Parts, order and texts as they were. */
    frozen: Json<unknown>;
    /** Parts that its maker could not read are not in it. */
    left_out: Generated<boolean>;
    state: 'Making' | 'Ready' | 'Failed' | 'WaitsForRelease' | 'Removed';
    message: string | null;
    size_bytes: number | null;
    sha256: string | null;
    storage_key: string | null;
    downloads: Generated<number>;
    expires_time: number;
    released_by_id: Generated<string | null>;
    released_by: Generated<string | null>;
    released_time: Generated<number | null>;
    job_id: string | null;
  };
  /** View: what cases on hold keep from being deleted. */
  case_holds: {
    case_id: string;
    number: number;
    mission_id: string | null;
    document_id: string | null;
    annotation_id: string | null;
    bookmark_id: string | null;
    clip_id: string | null;
  };
  jobs: {
    id: Generated<string>;
    kind: string;
    state: Generated<string>;
    /** Mission and sensor of a recording; null for the job of a document. */
    mission_id: string | null;
    sensor_id: string | null;
    file_id: string | null;
    document_id: string | null;
    /** As JOB_PRIORITY has them. */
    priority: Generated<number>;
    progress: Generated<number>;
    attempts: Generated<number>;
    error: string | null;
    created: number;
    heartbeat: number | null;
  };
  /** Runs of backups; the backups themselves are in their folder. */
  backup_runs: {
    id: Generated<string>;
    name: string;
    /** `restore`: puts one stored file back. */
    kind: 'create' | 'verify' | 'delete' | 'restore';
    origin: 'schedule' | 'manual' | 'command' | 'migration';
    state: Generated<'waiting' | 'running' | 'done' | 'failed'>;
    /** Percent. */
    progress: Generated<number>;
    error: string | null;
    requested_by: string | null;
    created: number;
    finished: number | null;
    /** The file or document that is put back. */
    item_id: Generated<string | null>;
  };
  uploads: {
    id: Generated<string>;
    user_id: string;
    /** Null: it waits to become a document. */
    sensor_id: string | null;
    name: string;
    size_bytes: number;
    /** Durable bytes so far. */
    offset_bytes: Generated<number>;
    last_modified: number | null;
    storage_key: string;
    created: number;
    updated: number;
  };
  platforms: {
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
  platform_usergroups: { platform_id: string; usergroup_id: string };
  platform_sensors: {
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
  platform_versions: {
    version: number;
    created: number;
    author_id: string | null;
    /** StoredPlatform[] of features/platforms/stored.ts: every platform there was then, visible or not. */
    platforms: Json<unknown>;
  };
  /** Folders of the storage whose rows are gone. */
  doomed_folders: { folder: string; since: number };
  /** Exports and imports, each its user's own. */
  tasks: {
    id: Generated<string>;
    kind: string;
    user_id: string;
    state: string;
    /** Names for the list. */
    title: string;
    input: Json<unknown>;
    result: Json<unknown> | null;
    progress: Generated<number>;
    attempts: Generated<number>;
    error: string | null;
    size_bytes: number | null;
    /** Imports: durable bytes of the upload. */
    offset_bytes: number | null;
    storage_key: string | null;
    created: number;
    ended: number | null;
    heartbeat: number | null;
    /** Ceiling of the session that ordered it. */
    ceiling: Generated<number>;
  };
  /** `days` after its end a mission of this usergroup and platform goes to the bin; null means any. */
  retention_rules: {
    id: Generated<string>;
    usergroup_id: string | null;
    platform: string | null;
    days: number;
    created: number;
    created_by: string | null;
    /** Ceiling of the session that changed it last. */
    ceiling: Generated<number>;
  };
  watch_folders: {
    id: Generated<string>;
    path: string;
    /** Null: unmarked, kept at the highest label of the installation. */
    classification: number | null;
    audience: 'everyone' | 'groups';
    usergroups: string[];
    platform: Json<unknown>;
    move_files: Generated<boolean>;
    enabled: Generated<boolean>;
    from_configuration: Generated<boolean>;
    /** The account as which missions are made from it; null: the system. */
    user_id: string | null;
    /** Reason why the folder cannot be read. */
    problem: string | null;
    created: number;
  };
  intake_files: {
    id: Generated<string>;
    folder_id: string;
    name: string;
    size_bytes: number;
    modified_ms: number;
    sha256: string | null;
    outcome: 'taken' | 'duplicate' | 'refused';
    reason: string | null;
    mission_id: string | null;
    time: number;
  };
  rooms: {
    id: Generated<string>;
    name: string;
    /** The lowest ceiling of its usergroups, which triggers keep so. */
    classification: number;
    audience: Generated<'everyone' | 'groups'>;
    epoch: Generated<number>;
    empty_timeout_s: number;
    max_participants: number;
    maker_id: string | null;
    created: number;
    /** Since when the room is empty; null while it is occupied, and before the first member came. */
    empty_since: number | null;
    /** The room was occupied at least once. */
    used: Generated<boolean>;
    deleted_time: number | null;
  };
  room_usergroups: { room_id: string; usergroup_id: string };
  ship_lists: {
    id: Generated<string>;
    name: string;
    /** #rrggbb; null: ships keep the colour of their type. */
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
  audit: ChainedRow;
  /** Changes that are under way, by the node whose chain gets their rows. */
  audit_intents: { id: Generated<string>; node: string; entry: Json<AuditEntry> };
  /** Heads of all chains at one moment, signed. */
  audit_checkpoints: {
    number: number;
    time: number;
    chains: Json<ChainHead[]>;
    key_id: string;
    signature: Buffer;
  };
  /** Where AIS was heard: a sensor of a platform, and the mission that it was recorded into, or none. */
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
  /** Minutes of UTC in which a source heard anything. */
  ais_heard: { source_id: number; minute: number };
  /** The last position of each station in a minute, packed as features/ais/minutes.ts says. */
  ais_minutes: { source_id: number; minute: number; ships: Buffer };
  /** Where receivers are, by their own word or set by hand. */
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
    /** Metres from the antenna. */
    to_bow: number | null;
    to_stern: number | null;
    to_port: number | null;
    to_starboard: number | null;
    /** Tenths of a metre. */
    draught: number | null;
    destination: string | null;
    /** MM-DD HH:MM, UTC. */
    eta: string | null;
    fix_type: number | null;
    is_virtual: boolean | null;
  };
  ais_names: { source_id: number; mmsi: number; name: string; first_time: number; last_time: number };
  ais_positions: AisPositionRow;
  ais_mission_positions: AisPositionRow;
};

/** Units as migration 0030 describes them. */
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
