import { mdiFolderLockOutline, mdiLockOutline } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import { Icon } from '../Icon.tsx';

/** Words of lesser weight than the title of a row; whole in the tooltip. */
export const Quiet = ({ text }: { text: string }) => (
  <Box component="span" title={text} sx={{ color: 'text.secondary' }}>
    {text}
  </Box>
);

const Sign = ({ icon, text }: { icon: string; text: string }) => (
  <Tooltip title={text}>
    <Box component="span" role="img" aria-label={text} sx={{ display: 'inline-flex' }}>
      <Icon path={icon} sx={{ color: 'text.secondary' }} />
    </Box>
  </Tooltip>
);

/** A mark where few may change the row; `text` says who. */
export const Lock = ({ on, text }: { on: boolean; text: string }) =>
  on ? <Sign icon={mdiLockOutline} text={text} /> : null;

/** A mark where a case keeps the row from being deleted; `text` says which, as the server does. */
export const Held = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : <Sign icon={mdiFolderLockOutline} text={text} />;
