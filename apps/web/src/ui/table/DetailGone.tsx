import { mdiClose } from '@mdi/js';
import { Box } from '@mui/material';
import { Action } from '../Action.tsx';
import { Icon } from '../Icon.tsx';

type Props = { icon: string; text: string; closeText: string; width: number; onClose: () => void };

/** Notice shown instead of the details of a row that was removed. */
export function DetailGone({ icon, text, closeText, width, onClose }: Props) {
  return (
    <Box sx={{ width: { xs: '100%', md: width }, flex: 'none', p: 4 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Icon path={icon} />
        <Box role="status" sx={{ flex: 1 }}>
          {text}
        </Box>
        <Action label={closeText} icon={mdiClose} onClick={onClose} />
      </Box>
    </Box>
  );
}
