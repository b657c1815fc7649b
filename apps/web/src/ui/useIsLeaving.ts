import { useCallback, useContext } from 'react';
import { UNSAFE_DataRouterContext, useLocation } from 'react-router';

/**
 * Returns whether the user is on the way to another page. A page stays mounted while the code of the next one is
 * fetched, and a write of its own into the address would end that navigation: ask before writing what the user did not
 * choose. The router is asked itself, since what it renders comes later than its state.
 */
export function useIsLeaving(): () => boolean {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const { pathname } = useLocation();
  return useCallback(() => {
    if (!router) return false;
    const { location, navigation } = router.state;
    return (navigation.location ?? location).pathname !== pathname;
  }, [router, pathname]);
}
