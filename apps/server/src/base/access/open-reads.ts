import type { Actor, Classification } from '@osprey/contract';

/** A transfer in progress: a download, a media session or an export. */
export type OpenRead = {
  userId: string;
  /**
   * Id of the device credential that the read was opened with. Null if it was opened with a password; such reads end
   * with any change of the account.
   */
  credentialId: string | null;
  /** Ceiling of the session that opened the read. */
  ceiling: Classification;
  /** Item whose contents are transferred. */
  itemId: string;
  /** Returns further items that must be readable at each check; they may change while the read is open. */
  also?: () => readonly string[];
  securityClassification: Classification;
  /** Ends the read immediately. */
  close: () => void;
};

export type OpenReads = ReturnType<typeof openReads>;

/** Items that must all be readable for a read to stay open. */
export const itemsOf = ({ itemId, also }: OpenRead): string[] => [itemId, ...(also?.() ?? [])];

/** Open streams and sockets by user and item, so that a revocation can end them within a second. */
export function openReads() {
  const open = new Set<OpenRead>();
  return {
    /** Registers a read. Returns a function that removes it from the list once it has ended by itself. */
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

/**
 * Returns a key for the set of items that an account may see. Access is decided once for all sockets with the same key.
 */
export function viewKey({ role, clearance, groups, administered }: Actor): string {
  const memberships = groups.map(({ _id, ceiling }) => `${_id}=${ceiling}`).sort();
  return [role, clearance, ...memberships, '/', ...[...administered].sort()].join(' ');
}
