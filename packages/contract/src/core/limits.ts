/** Constants of the product that server and web both need. */

/** Specification 1, section 9. */
export const SNACKBAR_MS = 4000;
export const PASSWORD_MIN_CLIENT = 4;
export const PASSWORD_MAX = 256;
/** Version in package.json; a test compares the two. */
export const PRODUCT_VERSION = '0.1.0';
export const RATING_MAX = 5;
export const SYSTEM_UPTIME_POLL_MS = 5000;

/** Mission and sensor names, descriptions, tags (characters). */
export const NAME_MAX = 64;
export const DESCRIPTION_MAX = 1000;
export const TAG_MAX = 64;
export const TAGS_MAX = 50;
/** Name of a platform without a name. */
export const NO_PLATFORM_NAME = '-';
/** Limit of a mission's manual order, in both directions from those without one. */
export const SORT_ORDER_MAX = 1_000_000;

/** Pages of missions/brief (rows) and of sensors/telemetry (records). */
export const PAGE_MAX = 500;
export const TELEMETRY_MAX = 20_000;

/** Free text that a list is searched by (characters), and entries of a list in a query, or items of one call. */
export const SEARCH_MAX = 200;
export const LIST_MAX = 500;

/** Vertices of a geometry in a query. */
export const QUERY_VERTICES_MAX = 1000;

/** Lowering a label needs a reason of this many characters. */
export const REASON_MIN = 10;

/** Device credentials: idle and absolute life, milliseconds. */
export const CREDENTIAL_IDLE_MS = 12 * 3_600_000;
export const CREDENTIAL_LIFE_MS = 7 * 24 * 3_600_000;

/** Access tokens of media and tickets of sockets, milliseconds. */
export const MEDIA_TOKEN_MS = 5 * 60_000;
export const TICKET_MS = 30_000;

/** Documents: specification 2, section 5 (characters), and how long a token for a download is good (ms). */
export const DOCUMENT_TITLE_MAX = 16;
export const DOCUMENT_DESCRIPTION_MAX = 127;
export const DOCUMENT_TOKEN_MS = 60_000;

/** Bookmarks (characters), how many a mission may have, and how long a deleted one can be brought back (ms). */
export const BOOKMARK_TITLE_MAX = 128;
export const BOOKMARK_TEXT_MAX = 2000;
export const BOOKMARKS_MAX = 5000;
export const BOOKMARK_UNDO_MS = 24 * 3_600_000;

/** Clips: characters of title and note, sensors of one, and how many a mission may have. */
export const CLIP_TITLE_MAX = 128;
export const CLIP_NOTE_MAX = 2000;
export const CLIP_SENSORS_MAX = 20;
export const CLIPS_MAX = 2000;

/** Cases: characters of name, description and remark, note, title of a part, and comment; parts, editors and comments of one. */
export const CASE_NAME_MAX = 128;
export const CASE_TEXT_MAX = 2000;
export const CASE_NOTE_MAX = 20_000;
export const CASE_PART_TITLE_MAX = 128;
export const CASE_COMMENT_MAX = 2000;
export const CASE_PARTS_MAX = 2000;
export const CASE_EDITORS_MAX = 50;
export const CASE_COMMENTS_MAX = 5000;
/**
 * How long an own comment can be changed, and a part that was taken out be brought back (ms); days that an export is
 * kept.
 */
export const CASE_COMMENT_EDIT_MS = 15 * 60_000;
export const CASE_UNDO_MS = 24 * 3_600_000;
export const CASE_EXPORT_DAYS = 7;

/** Ship lists: characters of a name and of a note, ships of one list, and lists of one account. */
export const SHIP_LIST_NAME_MAX = 64;
export const SHIP_NOTE_MAX = 200;
export const SHIP_LIST_SHIPS_MAX = 2000;
export const SHIP_LISTS_MAX = 100;

/** Vertices of a geometry that somebody drew or a file holds. */
export const GEOMETRY_VERTICES_MAX = 20_000;

/** Annotations: features of one, positions in all of them, and characters of a feature's title and text. */
export const ANNOTATION_FEATURES_MAX = 1000;
export const ANNOTATION_VERTICES_MAX = 20_000;
export const FEATURE_TITLE_MAX = 127;
export const FEATURE_TEXT_MAX = 4000;

/** Credentials of programs: longest life, and how many an account may have. */
export const API_CREDENTIAL_DAYS_MAX = 366;
export const API_CREDENTIALS_MAX = 50;
