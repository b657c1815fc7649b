import { Box, Paper, Skeleton, Typography } from '@mui/material';
import { PRODUCT_VERSION } from '@osprey/contract';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { formatTime } from '../base/format.ts';
import { keyTexts as keys } from '../cases/exports/key-texts.ts';
import { SigningKeys } from '../cases/exports/SigningKeys.tsx';
import { useServerState } from '../events/events.ts';
import { Logo } from '../ui/Logo.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

const words = texts.about;

/** Page with facts about the product: versions, server, licence, map sources and signing keys. */
export function AboutPage() {
  usePageTitle(texts.titles.about);
  const { info } = useSession();
  const state = useServerState();
  // The last known start time may be outdated while the server does not answer.
  const since = state === 'Online' ? info?.serverStartTime : undefined;
  const missing = state === 'Connecting' ? <Skeleton width={160} /> : words.unknown;
  return (
    <Box sx={{ display: 'grid', placeItems: 'center', minHeight: '100%', p: 4 }}>
      <Paper variant="outlined" sx={{ width: '100%', maxWidth: 440, p: 6, borderRadius: 2 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, mb: 4 }}>
          <Logo sx={{ fontSize: 40 }} />
          <div>
            <Typography variant="h1">{words.title}</Typography>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {words.lead}
            </Typography>
          </div>
        </Box>
        <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', rowGap: 2, columnGap: 6 }}>
          <Fact name={words.frontend}>{PRODUCT_VERSION}</Fact>
          <Fact name={words.backend}>{info?.serverVer ?? missing}</Fact>
          <Fact name={words.server}>{info?.serverName ?? missing}</Fact>
          <Fact name={words.uptime}>{since === undefined ? missing : `${formatTime(since)} Z`}</Fact>
          <Fact name={words.license}>{words.licenseName}</Fact>
          <Fact name={words.map}>{words.mapSources}</Fact>
          <Fact name={keys.title}>
            <SigningKeys />
          </Fact>
        </Box>
      </Paper>
    </Box>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Box component="dt" sx={{ color: 'text.secondary' }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, fontWeight: 600, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </>
  );
}
