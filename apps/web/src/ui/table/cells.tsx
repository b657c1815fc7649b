import { mdiFolderLockOutline, mdiLockOutline } from '@mdi/js';
import { Box, Tooltip } from '@mui/material';
import { Icon } from '../Icon.tsx';

/** Text that is less prominent than the title of a row; complete in the tooltip. */
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

/** Mark of a row that only some users may change; `text` names them. */
export const Lock = ({ on, text }: { on: boolean; text: string }) =>
  on ? <Sign icon={mdiLockOutline} text={text} /> : null;

/** Mark of a row that cannot be deleted because of a case; `text` is the server's message with the case. */
export const Held = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : <Sign icon={mdiFolderLockOutline} text={text} />;
