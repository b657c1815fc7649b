import { Box, Button } from '@mui/material';
import { Link, useLocation } from 'react-router';
import { useSession } from '../api/session.ts';
import { HelpPanel } from '../help/HelpPanel.tsx';
import { texts } from '../help/texts.ts';
import { Logo } from '../ui/Logo.tsx';
import { usePageTitle } from './usePageTitle.ts';

/** Page of the manual within the client; readers without an account see it without the menu. */
export function HelpPage() {
  usePageTitle(texts.title);
  const { pathname } = useLocation();
  const { state, actor } = useSession();
  const slug = /^\/help\/([a-z-]+)\/?$/.exec(pathname)?.[1] ?? (/^\/help\/?$/.test(pathname) ? '' : 'nothing');
  const panel = <HelpPanel slug={slug} />;
  if (state === 'ready' && actor !== null) {
    return <Box sx={{ height: '100%', minHeight: 0, display: 'flex', p: { xs: 0, sm: 2 } }}>{panel}</Box>;
  }
  return (
    <Box component="main" sx={{ height: '100dvh', display: 'flex', flexDirection: 'column', gap: 2, p: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
        <Logo />
        <Button component={Link} to="/">
          {texts.back}
        </Button>
      </Box>
      {panel}
    </Box>
  );
}
