import { mdiShieldLockOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { can, type PlainAction } from '@osprey/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useActor } from '../api/session.ts';
import { unseen } from '../base/sizes.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

type Props = {
  title: string;
  action: PlainAction;
  /** Notice for accounts without the right; if omitted, the standard text of the administration pages is shown. */
  refusal?: { title: string; text: string };
  children: ReactNode;
};

/**
 * Frame of an administration page. Accounts with other roles see a notice that explains what to ask for; the server
 * checks rights independently.
 */
export function AdminFrame({ title, action, refusal = texts.noRights, children }: Props) {
  usePageTitle(title);
  const actor = useActor();
  return (
    <Box sx={{ height: '100%', minHeight: 0, p: { xs: 0, sm: 2 }, display: 'flex', gap: 2 }}>
      <Box component="h1" sx={unseen}>
        {title}
      </Box>
      {can(actor, action).allowed ? children : <NoRights {...refusal} />}
    </Box>
  );
}

/** Notice in place of a page that the role may not use, with a way back to the missions. */
export function NoRights({ title, text }: { title: string; text: string }) {
  return (
    <Box sx={{ m: 'auto' }}>
      <Notice icon={mdiShieldLockOutline} title={title} text={text}>
        <Button component={Link} to="/missions">
          {texts.notFound.back}
        </Button>
      </Notice>
    </Box>
  );
}
