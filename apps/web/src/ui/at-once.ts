/**
 * Options for a choice that is written into the address: drawn before the next choice, which builds on it. The router
 * would else draw it when there is time, and a choice made before then would undo the one before it.
 */
export const AT_ONCE = { replace: true, flushSync: true } as const;
