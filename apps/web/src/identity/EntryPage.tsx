import { Box, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { texts as shell } from '../base/texts.ts';
import { useServerState } from '../events/events.ts';
import { Footer } from '../shell/Footer.tsx';
import { LabelBar } from '../shell/LabelBar.tsx';
import { ServerStateMark } from '../shell/ServerStateMark.tsx';
import { ThemeMenu } from '../shell/ThemeMenu.tsx';
import { useDropGuard } from '../shell/useDropGuard.ts';
import { Logo } from '../ui/Logo.tsx';
import { ChartArt } from './ChartArt.tsx';

type Props = { title: string; lead?: string; notice?: string; children: ReactNode };

/** Frame of the pages before login: a column with the form, and a decorative chart next to it. */
export function EntryPage({ title, lead, notice, children }: Props) {
  useDropGuard();
  const state = useServerState();
  const { info } = useSession();
  // A server without a name of its own reports the name of the product, which is shown already.
  const serverName = info?.serverName === shell.product ? null : info?.serverName;
  const under = lead ?? [info?.company, serverName].filter((part) => part).join(', ');
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100dvh' }}>
      <LabelBar />
      <Box sx={{ display: 'flex', flex: 1, minHeight: 0 }}>
        <Box
          component="main"
          sx={{
            display: 'flex',
            flexDirection: 'column',
            width: 'min(100%, 520px)',
            flex: 'none',
            px: { xs: 5, sm: 16 },
            py: 6,
            overflowY: 'auto',
            bgcolor: 'surface.panel',
            borderRight: { sm: 1 },
            borderColor: { sm: 'divider' },
          }}
        >
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, fontSize: 16, fontWeight: 600 }}>
            <Logo /> {shell.product}
            <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 3, fontSize: 13, fontWeight: 400 }}>
              <ServerStateMark state={state} />
              <ThemeMenu />
            </Box>
          </Box>
          <Box sx={{ my: 'auto', py: 6 }}>
            <Typography variant="h1">{title}</Typography>
            {/* The line is empty until the server's name is known, so that no field moves when it comes. */}
            <Typography
              variant="body2"
              sx={{ color: 'text.secondary', mt: info && under === '' ? 0 : 1, mb: 5, minHeight: info ? 0 : 20 }}
            >
              {under}
            </Typography>
            {children}
          </Box>
          {notice && (
            <Typography
              variant="caption"
              sx={{ color: 'text.secondary', borderTop: 1, borderColor: 'divider', pt: 3, display: 'block' }}
            >
              {notice}
            </Typography>
          )}
        </Box>
        <ChartArt />
      </Box>
      <Footer right={info ? info.serverVer : null} />
    </Box>
  );
}
