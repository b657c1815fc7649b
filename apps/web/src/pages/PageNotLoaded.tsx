import { useLocation, useNavigate } from 'react-router';
import { NotLoaded } from '../shell/NotLoaded.tsx';

/**
 * Notice shown instead of a page whose code could not be loaded. The frame around it remains, and with it the running
 * uploads.
 */
export function PageNotLoaded() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return <NotLoaded onAgain={() => void navigate(`${pathname}${search}`, { replace: true })} />;
}
