/** Groups that were ticked (true) or cleared (false), by id. */
export type Ticks = Readonly<Record<string, boolean>>;

/** Applies the ticks to ids of user groups. Other groups are unchanged, even if another user changes them meanwhile. */
export const ticked = (ids: readonly string[], ticks: Ticks): string[] => [
  ...ids.filter((id) => ticks[id] !== false),
  ...Object.keys(ticks).filter((id) => ticks[id] && !ids.includes(id)),
];
