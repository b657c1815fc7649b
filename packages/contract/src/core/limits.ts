/** Constants that both server and client need. */

/** Duration of notes, and lengths of passwords (specification 1, section 9). */
export const SNACKBAR_MS = 4000;
export const PASSWORD_MIN_CLIENT = 4;
export const PASSWORD_MAX = 256;
/** Version in package.json; a test checks that the two are equal. */
export const PRODUCT_VERSION = '0.1.0';
export const RATING_MAX = 5;
export const SYSTEM_UPTIME_POLL_MS = 5000;

/** Maximum lengths of mission and sensor names, descriptions and tags in characters, and maximum number of tags. */
export const NAME_MAX = 64;
export const DESCRIPTION_MAX = 1000;
export const TAG_MAX = 64;
export const TAGS_MAX = 50;
/** Name of a platform without a name. */
export const NO_PLATFORM_NAME = '-';
/** Limit of a mission's manual sort order, in both directions from 0, the value of missions without one. */
export const SORT_ORDER_MAX = 1_000_000;

/** Maximum page sizes of missions/brief (rows) and of sensors/telemetry (records). */
export const PAGE_MAX = 500;
export const TELEMETRY_MAX = 20_000;

/**
 * Maximum length of a search text in characters, and maximum number of entries of a list in a query, or of items in one
 * call.
 */
export const SEARCH_MAX = 200;
export const LIST_MAX = 500;

/** Maximum number of vertices of a geometry in a query. */
export const QUERY_VERTICES_MAX = 1000;

/** Minimum length of the reason for lowering a label, in characters. */
export const REASON_MIN = 10;

/** Lifetimes of device credentials, idle and absolute, in milliseconds. */
export const CREDENTIAL_IDLE_MS = 12 * 3_600_000;
export const CREDENTIAL_LIFE_MS = 7 * 24 * 3_600_000;

/** Lifetimes of access tokens for media and of tickets for sockets, in milliseconds. */
export const MEDIA_TOKEN_MS = 5 * 60_000;
export const TICKET_MS = 30_000;

/**
 * Limits of documents: lengths in characters (specification 2, section 5), and validity of a download token in
 * milliseconds.
 */
export const DOCUMENT_TITLE_MAX = 16;
export const DOCUMENT_DESCRIPTION_MAX = 127;
export const DOCUMENT_TOKEN_MS = 60_000;

/**
 * Limits of bookmarks: lengths in characters, number per mission, and time for which a deleted one can be restored, in
 * milliseconds.
 */
export const BOOKMARK_TITLE_MAX = 128;
export const BOOKMARK_TEXT_MAX = 2000;
export const BOOKMARKS_MAX = 5000;
export const BOOKMARK_UNDO_MS = 24 * 3_600_000;

/** Limits of clips: lengths of title and note in characters, sensors per clip, and clips per mission. */
export const CLIP_TITLE_MAX = 128;
export const CLIP_NOTE_MAX = 2000;
export const CLIP_SENSORS_MAX = 20;
export const CLIPS_MAX = 2000;

/**
 * Limits of cases: lengths in characters of the name, of description and remark, and of a note, a part's title and a
 * comment; numbers of parts, editors and comments per case.
 */
export const CASE_NAME_MAX = 128;
export const CASE_TEXT_MAX = 2000;
export const CASE_NOTE_MAX = 20_000;
export const CASE_PART_TITLE_MAX = 128;
export const CASE_COMMENT_MAX = 2000;
export const CASE_PARTS_MAX = 2000;
export const CASE_EDITORS_MAX = 50;
export const CASE_COMMENTS_MAX = 5000;
/**
 * Time limits of cases: for changing one's own comment, and for restoring a removed part, in milliseconds; and for
 * keeping an export, in days.
 */
export const CASE_COMMENT_EDIT_MS = 15 * 60_000;
export const CASE_UNDO_MS = 24 * 3_600_000;
export const CASE_EXPORT_DAYS = 7;

/** Limits of ship lists: lengths of a name and of a note in characters, ships per list, and lists per account. */
export const SHIP_LIST_NAME_MAX = 64;
export const SHIP_NOTE_MAX = 200;
export const SHIP_LIST_SHIPS_MAX = 2000;
export const SHIP_LISTS_MAX = 100;

/** Maximum number of vertices of a geometry that was drawn or read from a file. */
export const GEOMETRY_VERTICES_MAX = 20_000;

/**
 * Limits of annotations: number of features, number of positions in all of them, and lengths of a feature's title and
 * text in characters.
 */
export const ANNOTATION_FEATURES_MAX = 1000;
export const ANNOTATION_VERTICES_MAX = 20_000;
export const FEATURE_TITLE_MAX = 127;
export const FEATURE_TEXT_MAX = 4000;

/** Limits of credentials for programs: maximum lifetime in days, and number per account. */
export const API_CREDENTIAL_DAYS_MAX = 366;
export const API_CREDENTIALS_MAX = 50;
