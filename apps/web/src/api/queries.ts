import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

type FirstRead = { query: Query; answered: Promise<unknown> | undefined };

/**
 * Query client that reads a query once more if it is invalidated during its first read. The library would keep the
 * first response, although it may be older than the change, so that the event which invalidated the query would be
 * lost.
 */
export class Queries extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const firstReads = this.getQueryCache()
      .findAll({ ...(filters as InvalidateQueryFilters), fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
      .map((query) => ({ query, answered: query.promise }));
    const others = super.invalidateQueries(filters, options);
    const again = { ...(filters?.refetchType && { refetchType: filters.refetchType }), exact: true };
    await Promise.all([others, ...firstReads.map((read) => this.#readAgain(read, again))]);
  }

  async #readAgain({ query, answered }: FirstRead, again: InvalidateQueryFilters): Promise<void> {
    try {
      await answered;
    } catch {
      // The first read failed, or was cancelled when its page was left.
      return;
    }
    await super.invalidateQueries({ ...again, queryKey: query.queryKey });
  }
}
