import { Box, Link } from '@mui/material';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { readStored, storageKeys, writeStored } from '../base/keys.ts';
import { whenQuiet } from '../base/quiet.ts';
import { texts } from '../base/texts.ts';
import { loadFloating } from '../ui/Floating.tsx';
import { BottomBar } from './BottomBar.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Footer } from './Footer.tsx';
import { LabelBar } from './LabelBar.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { SideMenu } from './SideMenu.tsx';
import { TopBar } from './TopBar.tsx';
import { useDropGuard } from './useDropGuard.ts';
import { useLightPrint } from './useLightPrint.ts';
import { type MenuOf, useMenuEntries } from './useMenuEntries.ts';

type Props = {
  menuOf: MenuOf;
  activity: ReactNode;
  account: ReactNode;
  /** Notices above every page, until their cause is gone. */
  notices?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

/**
 * Delay before code that the first paint does not need is loaded, in milliseconds. Most machines have painted by then;
 * on slower ones loading and painting overlap.
 */
const AFTER_FIRST_PAINT_MS = 1500;

/** Frame of every page after the login: label bar, top bar, menu, content and footer. */
export function Shell({ menuOf, activity, account, notices, footer, children }: Props) {
  const [menuOpen, setMenuOpen] = useState(() => readStored(storageKeys.sideMenuOpened) === 'true');
  const { pathname } = useLocation();
  const { entries, waits } = useMenuEntries(menuOf);
  useDropGuard();
  useLightPrint();

  useEffect(() => {
    // A failure is ignored, since each part loads its code again when needed.
    const load = () => loadFloating().catch(() => undefined);
    const timer = setTimeout(() => void whenQuiet().then(load), AFTER_FIRST_PAINT_MS);
    return () => clearTimeout(timer);
  }, []);

  function toggleMenu() {
    setMenuOpen(!menuOpen);
    writeStored(storageKeys.sideMenuOpened, String(!menuOpen));
  }

  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh', minWidth: 0 }}>
      <Link
        href="#content"
        sx={{
          position: 'absolute',
          left: -9999,
          zIndex: 2000,
          '&:focus': { left: 8, top: 24, bgcolor: 'surface.raised', p: 2 },
        }}
      >
        {texts.skip}
      </Link>
      <LabelBar />
      <TopBar menuOpen={menuOpen} onMenu={toggleMenu} activity={!waits && activity} account={!waits && account} />
      <OfflineBanner />
      {notices}
      <Box sx={{ display: 'flex', flex: 1, minHeight: 0 }}>
        <SideMenu entries={entries} open={menuOpen} />
        <Box
          component="main"
          id="content"
          tabIndex={-1}
          sx={{
            ...{ flex: 1, minWidth: 0, minHeight: 0, overflow: 'auto', outline: 'none' },
            // Leaves room for a panel at the right; only the page knows its width.
            pr: { lg: 'var(--side-panel, 0px)' },
          }}
        >
          <ErrorBoundary key={pathname}>
            <Suspense fallback={null}>{children}</Suspense>
          </ErrorBoundary>
        </Box>
      </Box>
      <Footer right={footer} />
      <BottomBar entries={entries} />
    </Box>
  );
}
