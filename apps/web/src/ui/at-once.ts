/**
 * Options for writing a choice into the address. It is rendered before the next choice, which builds on it; the router
 * would otherwise render it later, and a choice made before then would undo the previous one.
 */
export const REPLACE_NOW = { replace: true, flushSync: true } as const;
