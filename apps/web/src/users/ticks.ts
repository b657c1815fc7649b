/** Groups that were ticked or cleared, by id. */
export type Ticks = Readonly<Record<string, boolean>>;

/**
 * These groups with the ticks applied: untouched ones stay as they are, even if another user changes them meanwhile.
 */
export const ticked = (ids: readonly string[], ticks: Ticks): string[] => [
  ...ids.filter((id) => ticks[id] !== false),
  ...Object.keys(ticks).filter((id) => ticks[id] && !ids.includes(id)),
];
