import { mdiFileAlertOutline } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import type { Sensor } from '@osprey/contract';
import { Icon } from '../ui/Icon.tsx';
import { damageOf } from './damage.ts';
import { texts } from './texts.ts';

/**
 * Mark in the head of a player which indicates that some of its files are damaged on the server. Not shown if they are
 * intact.
 */
export function DamageMark({ sensor }: { sensor: Sensor }) {
  const damage = damageOf(sensor);
  if (damage === null) return null;
  return (
    <Tooltip title={damage}>
      <Box
        component="span"
        // Focusable, so that its explanation can be reached by keyboard too.
        tabIndex={0}
        role="note"
        aria-label={`${texts.damaged}. ${damage}`}
        sx={{ display: 'inline-flex', alignItems: 'center', gap: 1, flex: 'none', fontWeight: 600 }}
      >
        <Icon path={mdiFileAlertOutline} sx={{ fontSize: 18 }} />
        {texts.damagedShort}
      </Box>
    </Tooltip>
  );
}
