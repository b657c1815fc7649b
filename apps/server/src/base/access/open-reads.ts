import type { Actor, Classification } from '@osprey/contract';

/** A transfer that goes on: a download, a media session, an export. */
export type OpenRead = {
  userId: string;
  /** The device credential it was opened with; null for a password, whose reads end with any change of its account. */
  credentialId: string | null;
  /** Ceiling of the session. */
  ceiling: Classification;
  /** Mission, document or platform. */
  itemId: string;
  /** Further items that must be readable at each check: the mission that a live view is recorded into. */
  also?: () => readonly string[];
  securityClassification: Classification;
  /** Ends it at once. */
  close: () => void;
};

export type OpenReads = ReturnType<typeof openReads>;

/** Items that must all be readable for a read to stay open. */
export const itemsOf = ({ itemId, also }: OpenRead): string[] => [itemId, ...(also?.() ?? [])];

/** Open streams and sockets by user and item, so that a revocation can end them within a second. */
export function openReads() {
  const open = new Set<OpenRead>();
  return {
    /** Returns the function that takes it off the list when it has ended by itself. */
    add(read: OpenRead): () => void {
      open.add(read);
      return () => void open.delete(read);
    },
    users: (): Set<string> => new Set([...open].map(({ userId }) => userId)),
    itemsOf: (userIds: ReadonlySet<string>): string[] =>
      [...open].flatMap((read) => (userIds.has(read.userId) ? itemsOf(read) : [])),
    /** All items of the open reads that depend on one of these items. */
    itemsWith: (itemIds: ReadonlySet<string>): string[] =>
      [...open].flatMap((read) => {
        const own = itemsOf(read);
        return own.some((id) => itemIds.has(id)) ? own : [];
      }),
    /** Ends every read for which `isLost` returns true. */
    closeWhere(isLost: (read: OpenRead) => boolean): void {
      for (const read of [...open]) {
        if (!isLost(read)) continue;
        open.delete(read);
        read.close();
      }
    },
    size: () => open.size,
  };
}

/** Key of what an account may see: sockets with the same key are decided about together. */
export function viewKey({ role, clearance, groups, administered }: Actor): string {
  const memberships = groups.map(({ _id, ceiling }) => `${_id}=${ceiling}`).sort();
  return [role, clearance, ...memberships, '/', ...[...administered].sort()].join(' ');
}
