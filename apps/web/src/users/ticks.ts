/** Groups that somebody ticked or cleared, by id. */
export type Ticks = Readonly<Record<string, boolean>>;

/** These groups with what was ticked among them: what nobody touched is as it stands, whoever changes it meanwhile. */
export const ticked = (ids: readonly string[], ticks: Ticks): string[] => [
  ...ids.filter((id) => ticks[id] !== false),
  ...Object.keys(ticks).filter((id) => ticks[id] && !ids.includes(id)),
];
