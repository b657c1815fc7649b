import { mdiAlertOutline } from '@mdi/js';
import { Box, Link } from '@mui/material';
import { backupFailedEvent, can, concurrentUsersEvent, demoExpiredEvent } from '@osprey/contract';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { useActor, useSession } from '../api/session.ts';
import { fill } from '../app/format.ts';
import { useBackupFacts } from '../backups/useBackups.ts';
import { useServerEvent } from '../events/events.ts';
import { useDiskWarnings } from '../system/useDiskWarnings.ts';
import { useAlert } from '../ui/AlertDialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { notices as texts } from './notice-texts.ts';

/** What stands above every page until it is put right, and the alerts of the installation. */
export function StandingNotices() {
  const actor = useActor();
  const { info } = useSession();
  const { alert } = useAlert();
  const seesBackups = can(actor, 'backup.list').allowed;
  const { data: backups } = useBackupFacts(seesBackups);
  const disks = useDiskWarnings(can(actor, 'health.details').allowed);

  useServerEvent(demoExpiredEvent, () => alert(texts.expired.title, texts.checkLicense));
  useServerEvent(concurrentUsersEvent, ({ message }) => alert(fill(texts.full, { message }), texts.checkLicense));
  useServerEvent(backupFailedEvent, ({ name, text }) =>
    alert(fill(texts.backupFailed.title, { name }), `${text}\n${texts.backupFailed.text}`),
  );

  return (
    <>
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

function Banner({ children }: { children: ReactNode }) {
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
        bgcolor: 'color-mix(in srgb, var(--mui-palette-warning-main) 18%, transparent)',
      }}
    >
      <Icon path={mdiAlertOutline} sx={{ color: 'warning.main' }} />
      <span>{children}</span>
    </Box>
  );
}
