/**
 * For what somebody chooses of a list, as it is written into the address: drawn before the next choice, which builds on it.
 * The router would else draw it when there is time, and a choice made before then would take the one before it back.
 */
export const AT_ONCE = { replace: true, flushSync: true } as const;
