import type { DocumentRow, Job, LivePlatform, Mission } from '@osprey/contract';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { mendRows, type RowPages } from '../api/pages.ts';
import { type Item, itemOf, missionBySensor } from './about.ts';

/** As the event `revoked` tells it. */
type Lost = { noun: Item['noun']; ids: readonly string[]; all?: true | undefined };

const MISSIONS_KEY = ['missions', 'list'] as const;
const PLATFORMS_KEY = ['platforms', 'list'] as const;

/** First parts of the keys of queries that tell of no mission, document or platform. Any other may, new ones too. */
export const tellOfNoItem: ReadonlySet<unknown> = new Set([
  'backups',
  'credentials',
  'licence',
  'login',
  'mapconfig',
  'metrics',
  'passwordLink',
  'platformTypes',
  'second-factor',
  'setup',
  'system',
  'systeminfo',
  'usergroups',
  'users',
]);

/**
 * Rights are gone: nothing of these items stays in memory. Rows leave the lists where they lie; what is not on screen
 * and may tell of an item is forgotten, and what is on screen is asked for again.
 */
export function itemsRevoked(queries: QueryClient, { noun, ids, all }: Lost): void {
  const missions = missionBySensor(queries);
  const named = new Set(ids);
  const isLost = (id: string | null) => all === true || (id !== null && named.has(id));
  const isTaken = ({ queryKey }: Query) => {
    const item = itemOf(queryKey, missions);
    return item?.noun === noun && isLost(item.id);
  };
  const mayTell = ({ queryKey }: Query) => {
    if (tellOfNoItem.has(queryKey[0]) || itemOf(queryKey, missions) !== null) return false;
    // Rows are taken out below; thousands of them are not read again for one.
    if (isPartOf(queryKey, PLATFORMS_KEY)) return noun !== 'platforms' || all === true;
    return !isPartOf(queryKey, MISSIONS_KEY) || (noun === 'missions' && all === true);
  };

  queries.removeQueries({ type: 'inactive', predicate: (query) => isTaken(query) || mayTell(query) });
  if (all === true) {
    for (const query of active(queries, (one) => isTaken(one) || mayTell(one))) empty(query);
    void queries.refetchQueries({ type: 'active', predicate: (query) => isTaken(query) || mayTell(query) });
    return;
  }
  takeOut(queries, noun, isLost);
  for (const query of active(queries, isTaken)) empty(query);
  // The open document is asked for once more: the refusal closes it. An open mission is closed by its page.
  if (noun !== 'missions') void queries.refetchQueries({ type: 'active', predicate: isTaken });
  void queries.invalidateQueries({ predicate: mayTell });
}

/** Forgets what is not on screen and may tell of an item: whoever comes back to it asks the server. */
export function forgetUnseen(queries: QueryClient): void {
  // What is being read right now is decided with the rights of now.
  const isUnseen = ({ queryKey }: Query) => !tellOfNoItem.has(queryKey[0]);
  queries.removeQueries({ type: 'inactive', fetchStatus: 'idle', predicate: isUnseen });
}

const isPartOf = (key: QueryKey, first: QueryKey) => first.every((part, at) => key[at] === part);

const active = (queries: QueryClient, predicate: (query: Query) => boolean) =>
  queries.getQueryCache().findAll({ type: 'active', predicate });

/** As before it was read. Not `reset`: that would bring back what it began with, which is a row of a list. */
function empty(query: Query): void {
  void query.cancel({ silent: true });
  query.setState({ data: undefined, dataUpdatedAt: 0, error: null, status: 'pending', fetchStatus: 'idle' });
}

/** Takes the rows of lost items out of the lists that are kept. */
function takeOut(queries: QueryClient, noun: Item['noun'], isLost: (id: string | null) => boolean): void {
  const kept = <Row extends { _id: string }>(rows: readonly Row[]) => rows.filter(({ _id }) => !isLost(_id));
  if (noun === 'missions') {
    queries.setQueriesData<RowPages<Mission>>(
      { queryKey: MISSIONS_KEY },
      (pages) => pages && mendRows(pages, (mission) => (isLost(mission._id) ? null : mission)),
    );
    // What was out of date before is so still.
    void queries.invalidateQueries({ queryKey: MISSIONS_KEY, type: 'inactive', refetchType: 'none' });
    // An answer under way may be of before: it would bring the rows back.
    void queries.invalidateQueries({ queryKey: MISSIONS_KEY, type: 'active', fetchStatus: 'fetching' });
  }
  if (noun === 'documents') {
    queries.setQueriesData<{ rows: DocumentRow[] }>(
      { queryKey: ['documents', 'page'] },
      (page) => page && { ...page, rows: kept(page.rows) },
    );
  }
  if (noun === 'platforms') {
    queries.setQueriesData<{ platforms: LivePlatform[] }>(
      { queryKey: PLATFORMS_KEY },
      (read) => read && { ...read, platforms: kept(read.platforms) },
    );
  }
  const itemOfJob = { missions: 'missionId', documents: 'documentId', platforms: null } as const;
  const field = itemOfJob[noun];
  if (field === null) return;
  queries.setQueriesData<Job[]>({ queryKey: ['jobs'] }, (jobs) => jobs?.filter((job) => !isLost(job[field])));
}
