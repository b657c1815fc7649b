import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type Query,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

type FirstRead = { query: Query; answered: Promise<unknown> | undefined };

/**
 * A query that is invalidated while it is read for the first time is read once more. The library would take that first
 * answer, which may be older than the change, for good: an event that came in between would be lost.
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
      // The first reading failed, or its page was left meanwhile.
      return;
    }
    await super.invalidateQueries({ ...again, queryKey: query.queryKey });
  }
}
