import { mdiAccountCircleOutline, mdiChevronDown } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { useState } from 'react';
import { useActor, useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { later } from '../ui/later.tsx';
import { PanelBelow } from '../ui/PanelBelow.tsx';
import type { AccountDialog } from './AccountPanel.tsx';
import { texts } from './session-texts.ts';

const AccountPanel = later(async () => (await import('./AccountPanel.tsx')).AccountPanel, { optional: true });
// These dialogs contain large forms and are rarely opened, so their code is loaded only when needed.
const UnitsDialog = laterDialog(async () => (await import('./UnitsDialog.tsx')).UnitsDialog);
const SessionsDialog = laterDialog(async () => (await import('./SessionsDialog.tsx')).SessionsDialog);
const SecondFactorDialog = laterDialog(async () => (await import('./SecondFactorDialog.tsx')).SecondFactorDialog);
const ApiCredentialsDialog = laterDialog(async () => (await import('./ApiCredentialsDialog.tsx')).ApiCredentialsDialog);
const ChangePasswordDialog = laterDialog(async () => (await import('./ChangePasswordDialog.tsx')).ChangePasswordDialog);

/** Menu with the logged-in account, its rights, and log-out. */
export function AccountMenu() {
  const actor = useActor();
  const { authenticated } = useSession();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<AccountDialog | null>(null);
  const close = () => setAnchor(null);
  const label = fill(texts.account, { name: actor.username });
  // A failure is ignored here; opening the panel loads the code again.
  const fetchPanel = () => void AccountPanel.load().catch(() => undefined);

  return (
    <>
      <Button
        variant="text"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={fetchPanel}
        onFocus={fetchPanel}
        onClick={(event) => setAnchor(event.currentTarget)}
        startIcon={<Icon path={mdiAccountCircleOutline} />}
        endIcon={<Icon path={mdiChevronDown} sx={{ display: { xs: 'none', sm: 'block' } }} />}
        sx={{ '& .MuiButton-startIcon': { mx: { xs: 0, sm: 1 } } }}
      >
        <Box
          component="span"
          sx={{ display: { xs: 'none', sm: 'inline' }, maxWidth: 180, overflow: 'hidden', textOverflow: 'ellipsis' }}
        >
          {actor.username}
        </Box>
      </Button>
      <PanelBelow label={label} anchor={anchor} onClose={close} sx={{ width: 320, bgcolor: 'surface.raised' }}>
        <AccountPanel open={anchor !== null} authenticated={authenticated} onChoose={setOpen} onClose={close} />
      </PanelBelow>
      {open === 'units' && <UnitsDialog onClose={() => setOpen(null)} />}
      {open === 'sessions' && <SessionsDialog onClose={() => setOpen(null)} />}
      {open === 'secondFactor' && <SecondFactorDialog onClose={() => setOpen(null)} />}
      {open === 'apiCredentials' && <ApiCredentialsDialog onClose={() => setOpen(null)} />}
      {open === 'password' && <ChangePasswordDialog onClose={() => setOpen(null)} />}
    </>
  );
}
