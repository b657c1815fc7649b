import { mdiLockOutline, mdiPlus } from '@mdi/js';
import { Alert, Box, Button, Paper, Skeleton, Typography } from '@mui/material';
import { can } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { BackupFactsRow } from '../backups/BackupFactsRow.tsx';
import { BackupsTable } from '../backups/BackupsTable.tsx';
import { DamagedFiles } from '../backups/DamagedFiles.tsx';
import { KeyNotice } from '../backups/KeyNotice.tsx';
import { texts } from '../backups/texts.ts';
import { isBeingDone, useBackupFacts, useBackupOrders, useBackups } from '../backups/useBackups.ts';
import { Icon } from '../ui/Icon.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { usePageTitle } from './usePageTitle.ts';

/** Page for backups: the existing and planned ones, and the actions to create, verify and remove one. */
export function BackupsPage() {
  usePageTitle(texts.title);
  const allowed = can(useActor(), 'backup.list').allowed;
  if (!allowed) return <Notice icon={mdiLockOutline} title={texts.noRights.title} text={texts.noRights.text} />;
  return <Content />;
}

function Content() {
  const { data: facts } = useBackupFacts();
  const { data: list = [] } = useBackups();
  const { create } = useBackupOrders();
  const [ordering, setOrdering] = useState(false);
  // Facts and list are loaded by separate requests. The page is busy while either of them says so, so that it never
  // contradicts its own rows.
  const busy = ordering || facts?.running != null || list.some(isBeingDone);

  async function order() {
    setOrdering(true);
    await create();
    setOrdering(false);
  }

  return (
    <Box sx={{ height: '100%', minHeight: 0, display: 'flex', flexDirection: 'column', gap: 2, p: { xs: 2, sm: 2 } }}>
      <Paper variant="outlined" sx={{ p: 4, borderRadius: 2, display: 'grid', gap: 3, flex: 'none' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
          <Typography variant="h1">{texts.title}</Typography>
          <Button
            variant="contained"
            color="primary"
            startIcon={<Icon path={mdiPlus} />}
            disabled={busy}
            onClick={() => void order()}
            sx={{ ml: 'auto' }}
          >
            {texts.create}
          </Button>
        </Box>
        {facts ? <BackupFactsRow facts={facts} /> : <Skeleton variant="rectangular" height={38} />}
        {facts && <KeyNotice unseen={facts.keyUnseen} />}
        {facts?.sameDisk && <Alert severity="info">{texts.sameDisk}</Alert>}
      </Paper>
      <DamagedFiles busy={busy} />
      <Paper variant="outlined" sx={{ flex: 1, minHeight: 240, borderRadius: 2, overflow: 'hidden' }}>
        <BackupsTable
          folder={facts?.folder ?? ''}
          away={facts != null && facts.awaySince !== null ? facts.warning : null}
          busy={busy}
        />
      </Paper>
    </Box>
  );
}
