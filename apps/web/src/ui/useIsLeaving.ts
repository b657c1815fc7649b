import { useCallback, useContext } from 'react';
import { UNSAFE_DataRouterContext, useLocation } from 'react-router';

/**
 * Returns a function that returns whether the user is navigating to another page. A page remains mounted while the code
 * of the next one is loaded, and a change of the address by that page would cancel the navigation; so check this before
 * writing anything that the user did not choose. The router's own state is used, since rendering lags behind it.
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
