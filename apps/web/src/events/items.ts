import {
  type AnnotationRow,
  type CaseRow,
  changedEvents,
  type DocumentRow,
  type ItemName,
  itemNames,
  items,
  type Job,
  type LivePlatform,
  type Mission,
  type Room,
  type ShipListRow,
  type ShownAnnotation,
} from '@osprey/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { mendRows, type RowPages } from '../api/pages.ts';
import { missionOfSensorQuery } from './sensor-queries.ts';

type IsLost = (id: string | null) => boolean;

/** A kind of cached response that contains rows of items. */
type ItemList = {
  /** Beginning of the query keys of these responses. */
  key: QueryKey;
  /** Returns the response without the rows of lost items. */
  without: (answer: unknown, isLost: IsLost) => unknown;
  /** True if removing the rows gives exactly what the server would return, so that the list need not be read again. */
  whole?: true;
  /** True if the loss of an item of another kind does not affect the list. */
  ownOnly?: true;
};

type Cached = {
  /** Beginnings of the keys of queries about one item; the key part that follows is the item's id. */
  one: readonly QueryKey[];
  /**
   * Returns a function that reads the item's id from the keys of queries about parts of the item; null for other keys.
   */
  ofParts?: (queries: QueryClient) => (key: QueryKey) => string | null;
  lists: readonly ItemList[];
  /**
   * Beginnings of the keys of queries that are read again when items change, in addition to queries about these items.
   * Left out if the screens of the item listen for the event themselves.
   */
  changed?: readonly QueryKey[];
  /**
   * Beginnings of the keys of queries that may have been read before the first connection, and may therefore have
   * missed changes.
   */
  missed: readonly QueryKey[];
  /**
   * Set if the page itself closes an open item that was lost. If absent, the item is read again, and the server's
   * refusal closes it.
   */
  closedByPage?: true;
  /**
   * A key of `one`, without the id. If an item of such a query was read once and is not found later, it counts as
   * revoked.
   */
  notFoundIsLost?: QueryKey;
};

/** Query keys of one kind of item, and the event that reports its changes. */
export type PageItem = Cached & {
  /** Plural name of the kind, as used in the event `revoked`. */
  noun: string;
  event: (typeof changedEvents)[ItemName];
};

/** Defines a list whose response type is known, since only its own queries have these keys. */
export const listOf = <Answer>(
  key: QueryKey,
  without: (answer: Answer, isLost: IsLost) => Answer,
  traits: Pick<ItemList, 'whole' | 'ownOnly'> = {},
): ItemList => ({ key, without: without as ItemList['without'], ...traits });

/** List of jobs, which contains jobs of all kinds of items: a job is removed only if its item was lost. */
const jobsBy = (field: 'missionId' | 'documentId') =>
  listOf<Job[]>(['jobs'], (jobs, isLost) => jobs.filter((job) => !isLost(job[field])));

const retained: Readonly<Record<ItemName, Cached>> = {
  mission: {
    one: [['missions', 'one'], ['sensors'], ['maplayer', 'area'], ['bookmarks'], ['clips'], ['videolist']],
    ofParts: missionOfSensorQuery,
    lists: [
      // Lists of missions may have thousands of rows, so they are not read again because of a single lost mission.
      listOf<RowPages<Mission>>(
        ['missions', 'list'],
        (pages, isLost) => mendRows(pages, (mission) => (isLost(mission._id) ? null : mission)),
        { whole: true, ownOnly: true },
      ),
      jobsBy('missionId'),
    ],
    // Lists of missions are not named here: missions/useLiveMissions.ts updates them row by row.
    changed: [['jobs'], ['tags']],
    missed: [['missions', 'list'], ['missions', 'one'], ['bookmarks'], ['clips']],
    closedByPage: true,
    notFoundIsLost: ['missions', 'one'],
  },
  document: {
    one: [
      ['documents', 'one'],
      ['documents', 'text'],
    ],
    lists: [
      listOf<{ rows: DocumentRow[] }>(['documents', 'page'], (page, isLost) => ({
        ...page,
        rows: page.rows.filter(({ _id }) => !isLost(_id)),
      })),
      jobsBy('documentId'),
    ],
    changed: [['documents']],
    missed: [['documents']],
  },
  platform: {
    one: [['platforms', 'config']],
    lists: [
      listOf<{ platforms: LivePlatform[] }>(
        ['platforms', 'list'],
        (read, isLost) => ({ ...read, platforms: read.platforms.filter(({ _id }) => !isLost(_id)) }),
        { whole: true },
      ),
    ],
    missed: [['platforms']],
  },
  annotation: {
    one: [['annotations', 'one']],
    lists: [
      listOf<RowPages<AnnotationRow>>(['annotations', 'rows'], (pages, isLost) =>
        mendRows(pages, (row) => (isLost(row._id) ? null : row)),
      ),
      listOf<ShownAnnotation[]>(['annotations', 'shown'], (shown, isLost) => shown.filter(({ _id }) => !isLost(_id))),
    ],
    changed: [['annotations']],
    missed: [['annotations']],
  },
  case: {
    one: [
      ['cases', 'one'],
      ['cases', 'parts'],
      ['cases', 'comments'],
      ['cases', 'exports'],
      ['cases', 'people'],
    ],
    lists: [
      listOf<RowPages<CaseRow>>(['cases', 'list'], (pages, isLost) =>
        mendRows(pages, (row) => (isLost(row._id) ? null : row)),
      ),
    ],
    changed: [['cases']],
    missed: [['cases']],
  },
  shiplist: {
    one: [['shiplists', 'one']],
    lists: [
      listOf<{ rows: ShipListRow[]; coloured: ShipListRow[] }>(['shiplists', 'all'], ({ rows, coloured }, isLost) => ({
        rows: rows.filter(({ _id }) => !isLost(_id)),
        coloured: coloured.filter(({ _id }) => !isLost(_id)),
      })),
    ],
    changed: [['shiplists']],
    missed: [['shiplists']],
  },
  room: {
    one: [],
    lists: [listOf<Room[]>(['rooms'], (rooms, isLost) => rooms.filter(({ _id }) => !isLost(_id)), { whole: true })],
    changed: [['rooms']],
    missed: [['rooms']],
  },
};

/** All items that have rights, as named in the contract. */
export const pageItems: readonly PageItem[] = itemNames.map((name) => ({
  ...retained[name],
  noun: items[name].plural,
  event: changedEvents[name],
}));
