import { mdiAlertOutline, mdiShieldLockOutline } from '@mdi/js';
import { Box, Link } from '@mui/material';
import { can } from '@osprey/contract';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useActor, useSession } from '../api/session.ts';
import { useBackupFacts } from '../backups/useBackups.ts';
import { fill } from '../base/format.ts';
import { TogetherBar } from '../conference/together/TogetherBar.tsx';
import { useOffersConference } from '../conference/useConference.ts';
import { limitTexts } from '../identity/limit-texts.ts';
import { useDiskWarnings } from '../system/useDiskWarnings.ts';
import { Icon } from '../ui/Icon.tsx';
import { notices as texts } from './notice-texts.ts';

/** Notices above every page that remain until their cause is gone. */
export function StandingNotices() {
  const actor = useActor();
  const { info, limit } = useSession();
  const seesBackups = can(actor, 'backup.list').allowed;
  const { data: backups } = useBackupFacts(seesBackups);
  const meets = useOffersConference();
  const disks = useDiskWarnings(can(actor, 'health.details').allowed);

  return (
    <>
      {limit && <Banner calm>{fill(limitTexts[limit.by], limit)}</Banner>}
      {meets && <TogetherBar />}
      {info?.demoMode && <Banner>{texts.demo}</Banner>}
      {disks.map((text) => (
        <Banner key={text}>
          {text}{' '}
          <Link component={RouterLink} to="/storage" color="inherit">
            {texts.toStorage}
          </Link>
        </Banner>
      ))}
      {backups?.warning && (
        <Banner>
          {backups.warning}{' '}
          <Link component={RouterLink} to="/backups" color="inherit">
            {texts.toBackups}
          </Link>
        </Banner>
      )}
    </>
  );
}

/** `calm`: information rather than a warning. */
function Banner({ calm = false, children }: { calm?: boolean; children: ReactNode }) {
  const colour = calm ? 'info' : 'warning';
  return (
    <Box
      role="status"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 4,
        py: 1,
        flex: 'none',
        bgcolor: `color-mix(in srgb, var(--mui-palette-${colour}-main) ${calm ? 12 : 18}%, transparent)`,
      }}
    >
      <Icon path={calm ? mdiShieldLockOutline : mdiAlertOutline} sx={{ color: `${colour}.main` }} />
      <span>{children}</span>
    </Box>
  );
}
