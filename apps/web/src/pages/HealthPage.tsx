import { mdiArrowLeft } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import { can } from '@osprey/contract';
import { Navigate, Link as RouterLink } from 'react-router';
import { useActor } from '../api/session.ts';
import { HealthPanel } from '../system/HealthPanel.tsx';
import { texts } from '../system/texts.ts';
import { Icon } from '../ui/Icon.tsx';
import { usePageTitle } from './usePageTitle.ts';

/** Page with the server's health, for its administrators. */
export function HealthPage() {
  usePageTitle(texts.healthTitle);
  const actor = useActor();
  if (!can(actor, 'health.details').allowed) return <Navigate to="/missions" replace />;
  return (
    <Box sx={{ height: '100%', overflowY: 'auto' }}>
      <Box sx={{ maxWidth: 1080, mx: 'auto', p: { xs: 3, sm: 6 } }}>
        <Button variant="text" component={RouterLink} to="/admin" startIcon={<Icon path={mdiArrowLeft} />}>
          {texts.health.back}
        </Button>
        <Typography variant="h1" sx={{ mt: 2 }}>
          {texts.healthTitle}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 4 }}>
          {`${texts.health.lead} ${texts.health.checked}.`}
        </Typography>
        <HealthPanel />
      </Box>
    </Box>
  );
}
