import { DOCUMENT_TOKEN_MS, type ItemName, MEDIA_TOKEN_MS } from '@osprey/contract';

/**
 * Where the rows of an item with rights are stored. The table must have the columns id, classification, audience,
 * deleted_time and epoch, and the triggers described in migration 0022, which send the notices of changed rights.
 */
export type StoredItem = {
  table: string;
  /** Table that names the usergroups of an item, and its column for the item's id. */
  links: { table: string; key: string };
  /** Column with the item's name, as shown in lists, the audit and dialogs. */
  name: string;
  /** Value of the column `state` that makes an item a draft. Absent if the items have no drafts. */
  draft?: string;
  /** Column of the edit lock. Absent if the items have none. */
  lock?: string;
  /** Column with the account that created the item. Absent if no rule depends on it. */
  author?: string;
  /** True if the rule `read` also allows the author, whatever the audience. `author` names the column. */
  authorReads?: true;
  /** Table of further accounts that may edit the item. Absent if no rule depends on them. */
  editors?: { table: string; key: string; user: string };
  /** Deleted items can be restored for some time. */
  bin?: true;
  /** True if the table has a column `tags`, whose words filters offer. */
  tags?: true;
  /** Column of `jobs` that names the item that a job works on. */
  job?: string;
  /**
   * Lifetime of tokens that give access to the item's bytes without a session. With `continues`, the session may
   * continue a transfer that such a token began.
   */
  token?: { lifeMs: number; continues?: true };
  /** Tables whose rows belong to an item: read by joining from a visible one. */
  parts: readonly string[];
};

export type StoredItems = Readonly<Record<string, StoredItem>>;

/** Items used by the layers below the features. Features define the others, in files named item.ts. */
export const storedItems = {
  mission: {
    table: 'missions',
    links: { table: 'mission_usergroups', key: 'mission_id' },
    name: 'name',
    draft: 'Created',
    bin: true,
    tags: true,
    job: 'mission_id',
    token: { lifeMs: MEDIA_TOKEN_MS },
    parts: [
      'mission_shapes',
      'mission_old_names',
      'sensors',
      'files',
      'bookmarks',
      'clips',
      'clip_cuts',
      'coverage_sensors',
      'coverage_minutes',
      'coverage_seen',
    ],
  },
  document: {
    table: 'documents',
    links: { table: 'document_usergroups', key: 'document_id' },
    name: 'title',
    lock: 'edit_lock',
    bin: true,
    tags: true,
    job: 'document_id',
    token: { lifeMs: DOCUMENT_TOKEN_MS, continues: true },
    parts: ['document_shapes', 'snapshots'],
  },
  platform: {
    table: 'platforms',
    links: { table: 'platform_usergroups', key: 'platform_id' },
    name: 'name',
    parts: ['platform_sensors', 'platform_versions'],
  },
  annotation: {
    table: 'annotations',
    links: { table: 'annotation_usergroups', key: 'annotation_id' },
    name: 'title',
    // For annotations it is the state of the mission.
    draft: 'Created',
    lock: 'edit_lock',
    author: 'author_id',
    bin: true,
    tags: true,
    parts: ['annotation_shapes', 'annotation_levels'],
  },
  case: {
    table: 'cases',
    links: { table: 'case_usergroups', key: 'case_id' },
    name: 'name',
    author: 'owner_id',
    editors: { table: 'case_editors', key: 'case_id', user: 'user_id' },
    bin: true,
    parts: ['case_parts', 'case_editors', 'case_comments', 'case_exports'],
  },
} as const satisfies Readonly<Partial<Record<ItemName, StoredItem>>>;

/** Tables that are read only with an actor's rights, or for a stated reason without. */
export const tablesOf = (stored: StoredItems): string[] =>
  Object.values(stored).flatMap(({ table, parts }) => [table, ...parts]);
