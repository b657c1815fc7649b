import { mdiAccountCheckOutline, mdiAccountGroupOutline, mdiAccountOffOutline, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { BULK_USERS_MAX, type User } from '@osprey/contract';
import { fill } from '../base/format.ts';
import { size, unseen } from '../base/sizes.ts';
import { Icon } from '../ui/Icon.tsx';
import { BulkBar } from '../ui/table/BulkBar.tsx';
import { texts } from './texts.ts';

type Props = {
  users: readonly User[];
  mayRemove: boolean;
  tooMany: boolean;
  onGroups: () => void;
  onSwitch: (disabled: boolean) => void;
  onRemove: () => void;
  onClear: () => void;
};

const words = texts.bulk;

/** Bar with actions on the selected accounts. On a phone the buttons have icons instead of text. */
export function UsersBulkBar({ users, mayRemove, tooMany, onGroups, onSwitch, onRemove, onClear }: Props) {
  const acts = [
    { label: words.usergroups, icon: mdiAccountGroupOutline, run: onGroups, off: false, danger: false },
    {
      label: words.enable,
      icon: mdiAccountCheckOutline,
      run: () => onSwitch(false),
      off: !mayRemove || users.every(({ disabled }) => !disabled),
      danger: false,
    },
    {
      label: words.disable,
      icon: mdiAccountOffOutline,
      run: () => onSwitch(true),
      off: !mayRemove || users.every(({ disabled }) => disabled),
      danger: false,
    },
    { label: words.remove, icon: mdiTrashCanOutline, run: onRemove, off: !mayRemove, danger: true },
  ];
  return (
    <BulkBar count={users.length} onClear={onClear}>
      {tooMany && fill(words.tooMany, { max: BULK_USERS_MAX })}
      {acts.map(({ label, icon, run, off, danger }) => (
        // The same button at every width, so that it gets the focus back even if the window became narrow while a
        // dialog was open.
        <Button
          key={label}
          variant="text"
          {...(danger && { color: 'error' as const })}
          startIcon={<Icon path={icon} />}
          disabled={off || tooMany}
          onClick={run}
          sx={{
            minWidth: { xs: size.touch, sm: 64 },
            '&& .MuiButton-startIcon': { display: 'inherit', m: { xs: 0, sm: '0 8px 0 -4px' } },
          }}
        >
          <Box component="span" sx={{ '@media (max-width: 599.95px)': unseen }}>
            {label}
          </Box>
        </Button>
      ))}
    </BulkBar>
  );
}
