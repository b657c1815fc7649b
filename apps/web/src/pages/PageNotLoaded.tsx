import { useLocation, useNavigate } from 'react-router';
import { NotLoaded } from '../shell/NotLoaded.tsx';

/** Notice in place of a page whose code did not load: the frame around it stays, and with it what is being sent. */
export function PageNotLoaded() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return <NotLoaded onAgain={() => void navigate(`${pathname}${search}`, { replace: true })} />;
}
