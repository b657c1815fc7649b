/** Groups that were ticked or cleared, by id. */
export type Ticks = Readonly<Record<string, boolean>>;

/**
 * Ids of usergroups with the ticks applied: groups without a tick stay as they are, even if another user changes them
 * meanwhile.
 */
export const ticked = (ids: readonly string[], ticks: Ticks): string[] => [
  ...ids.filter((id) => ticks[id] !== false),
  ...Object.keys(ticks).filter((id) => ticks[id] && !ids.includes(id)),
];
