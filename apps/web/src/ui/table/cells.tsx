import { mdiLockOutline } from '@mdi/js';
import { Box, Chip, Tooltip } from '@mui/material';
import { Icon } from '../Icon.tsx';

/** Words of lesser weight than the title of a row; whole in the tooltip. */
export const Quiet = ({ text }: { text: string }) => (
  <Box component="span" title={text} sx={{ color: 'text.secondary' }}>
    {text}
  </Box>
);

/** A mark where few may change the row; `text` says who. */
export const Lock = ({ on, text }: { on: boolean; text: string }) =>
  on ? (
    <Tooltip title={text}>
      <Box component="span" role="img" aria-label={text} sx={{ display: 'inline-flex' }}>
        <Icon path={mdiLockOutline} sx={{ color: 'text.secondary' }} />
      </Box>
    </Tooltip>
  ) : null;

/** Which case keeps a row from being deleted, as the server says it; nothing where none does. */
export const Held = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : <Chip label={text} title={text} sx={{ height: 20, ml: 1, minWidth: 0, flexShrink: 1 }} />;
