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

/** Cached responses that hold rows of items. */
type ItemList = {
  /** Beginning of the keys of its queries. */
  key: QueryKey;
  /** The answer without the rows of lost items. */
  without: (answer: unknown, isLost: IsLost) => unknown;
  /** Without these rows it is as the server would answer: it is not read again. */
  whole?: true;
  /** The loss of an item of another kind changes nothing in it. */
  ownOnly?: true;
};

type Cached = {
  /** Beginnings of the keys of queries about one item; the part after that is the item's id. */
  one: readonly QueryKey[];
  /** Reads the id of the item from the keys of queries about its parts; null for other keys. */
  ofParts?: (queries: QueryClient) => (key: QueryKey) => string | null;
  lists: readonly ItemList[];
  /**
   * Beginnings of the keys of what is read again when items changed, together with what was read about these items.
   * Left out where the screens of the item listen for the event themselves.
   */
  changed?: readonly QueryKey[];
  /** Beginnings of the keys of queries that may have been read before the first connection reported changes. */
  missed: readonly QueryKey[];
  /** Closes an open item that was lost. If absent, the item is read again, and the refusal closes it. */
  closedByPage?: true;
  /** A key of `one`, without the id: an item that was read and is not found later counts as revoked. */
  notFoundIsLost?: QueryKey;
};

/** Query keys of one kind of item, and the events about it. */
export type PageItem = Cached & {
  /** Plural, as `revoked` names it. */
  noun: string;
  event: (typeof changedEvents)[ItemName];
};

/** Types the answer of a list; only its own queries have these keys. */
export const listOf = <Answer>(
  key: QueryKey,
  without: (answer: Answer, isLost: IsLost) => Answer,
  traits: Pick<ItemList, 'whole' | 'ownOnly'> = {},
): ItemList => ({ key, without: without as ItemList['without'], ...traits });

/** Jobs stay in the list of all items' jobs unless theirs was lost. */
const jobsBy = (field: 'missionId' | 'documentId') =>
  listOf<Job[]>(['jobs'], (jobs, isLost) => jobs.filter((job) => !isLost(job[field])));

const retained: Readonly<Record<ItemName, Cached>> = {
  mission: {
    one: [['missions', 'one'], ['sensors'], ['maplayer', 'area'], ['bookmarks'], ['clips'], ['videolist']],
    ofParts: missionOfSensorQuery,
    lists: [
      // Thousands of rows are not read again for one.
      listOf<RowPages<Mission>>(
        ['missions', 'list'],
        (pages, isLost) => mendRows(pages, (mission) => (isLost(mission._id) ? null : mission)),
        { whole: true, ownOnly: true },
      ),
      jobsBy('missionId'),
    ],
    // Lists are mended row by row in missions/useLiveMissions.ts.
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

/** Every item with rights of its own, as the contract names it. */
export const pageItems: readonly PageItem[] = itemNames.map((name) => ({
  ...retained[name],
  noun: items[name].plural,
  event: changedEvents[name],
}));
