import { mdiServerNetworkOff } from '@mdi/js';
import { Fragment, useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession, viewKeyOf } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { whenQuiet } from '../base/quiet.ts';
import { texts } from '../base/texts.ts';
import { ConferenceButton } from '../conference/ConferenceButton.tsx';
import { LookbackHost } from '../coverage/LookbackHost.tsx';
import { AccountMenu } from '../identity/AccountMenu.tsx';
import { texts as session } from '../identity/session-texts.ts';
import { ActivityTray } from '../missions/tray/ActivityTray.tsx';
import { Shell } from '../shell/Shell.tsx';
import { later } from '../ui/later.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { interruptOthers } from '../uploads/uploads.ts';
import { menuOf } from './menu.ts';
import { NextPageComing } from './PageComing.tsx';
import { PageKeys } from './PageKeys.tsx';
import { PlaceReport } from './PlaceReport.tsx';
import { PaletteHost } from './palette/PaletteHost.tsx';
import { SiteExtent } from './SiteExtent.tsx';
import { TypedCare } from './TypedCare.tsx';
import { useAlerts } from './useAlerts.ts';

const StandingNotices = later(async () => {
  await whenQuiet();
  return (await import('./StandingNotices.tsx')).StandingNotices;
});

const SearchHitsCare = later(async () => {
  await whenQuiet();
  return (await import('./SearchHitsCare.tsx')).SearchHitsCare;
});
const SearchHits = later(async () => (await import('../coverage/hits/SearchHits.tsx')).SearchHits);

const isHelp = (pathname: string) => pathname === '/help' || pathname.startsWith('/help/');

/**
 * Frame around every page after the login. Visitors who are not logged in are sent to the login and return to the page
 * afterwards.
 */
export function AppLayout() {
  const { state, actor, limit } = useSession();
  const { pathname, search } = useLocation();
  useUploadsOfOwn();
  useWordToGuest();
  useAlerts();

  // The manual is available to everybody, even while the server is being set up.
  const isOpen = isHelp(pathname) && state !== 'loading' && (state !== 'ready' || actor === null);
  if (isOpen) return <Outlet />;
  if (state !== 'ready') return <NotReady />;
  if (actor === null) return <Navigate to="/login" replace state={{ from: `${pathname}${search}` }} />;
  return (
    // The key closes everything that is open when the account or the limit of the session changes.
    <Fragment key={viewKeyOf({ actor, limit })}>
      <Shell
        menuOf={menuOf}
        activity={
          <>
            <ActivityTray news={<SearchHits />} />
            <ConferenceButton />
          </>
        }
        account={<AccountMenu />}
        notices={<StandingNotices />}
        footer={<PageKeys />}
      >
        <NextPageComing />
        <Outlet />
      </Shell>
      <TypedCare />
      <PlaceReport />
      <SiteExtent />
      <LookbackHost />
      {actor.role !== 'guest' && <SearchHitsCare />}
      <PaletteHost />
    </Fragment>
  );
}

/** Shows a notice to a guest who was signed in a moment ago, or at the last visit, and now sees less. */
function useWordToGuest(): void {
  const { actor, refused } = useSession();
  const { show } = useSnackbar();
  const isOutside = refused && actor?.role === 'guest';
  useEffect(() => {
    if (isOutside) show(session.endedAsGuest, 'info');
  }, [isOutside, show]);
}

/** Uploads files of an account only while it is signed in on this browser. */
function useUploadsOfOwn(): void {
  const { state, actor, ended } = useSession();
  const account = actor?.username;
  useEffect(() => {
    if (state === 'ready') interruptOthers();
    // Runs when the account changes; the current account itself is read from storage.
  }, [state, account, ended]);
}

/** Layout of the pages before the login. */
export function EntryLayout() {
  const { state } = useSession();
  const { pathname } = useLocation();
  useUploadsOfOwn();
  if (state === 'setup' && pathname !== '/setup') return <Navigate to="/setup" replace />;
  if (state === 'loading' || state === 'failed') return <NotReady />;
  return <Outlet />;
}

function NotReady() {
  const { state, failure } = useSession();
  const { show } = useSnackbar();
  useEffect(() => {
    if (failure !== null) show(fill(texts.accessError, { detail: failure }), 'error');
  }, [failure, show]);

  if (state === 'setup') return <Navigate to="/setup" replace />;
  if (state === 'loading') return null;
  return (
    <Notice
      failed
      icon={mdiServerNetworkOff}
      title={fill(texts.accessError, { detail: failure ?? '' })}
      text={texts.waiting}
    />
  );
}
