import { mdiRestart } from '@mdi/js';
import { ButtonBase, Tooltip, useMediaQuery } from '@mui/material';
import { fill } from '../../base/format.ts';
import { size } from '../../base/sizes.ts';
import { Icon } from '../../ui/Icon.tsx';
import { itemOf, type Row } from '../rows.ts';
import { useRecording } from './recording.ts';
import { texts } from './texts.ts';

/** For a sensor that is set aside; without its words where the button that stops its recording needs their room. */
export function TryAgainButton({ row }: { row: Row }) {
  const { tryAgain, busyIds } = useRecording();
  const coarse = useMediaQuery('(max-width: 599.95px), (pointer: coarse)');
  const { _id, name, live } = itemOf(row);
  const label = fill(texts.tryAgain.label, { name: `${row.platform.name} ${name}` });
  return (
    <Tooltip title={label} placement="right">
      <span>
        <ButtonBase
          aria-label={label}
          disabled={busyIds.has(_id)}
          onClick={() => tryAgain(row)}
          sx={{
            minWidth: size.touch,
            height: coarse ? size.touch : size.controlSmall,
            px: 1,
            border: 1,
            borderRadius: 1.5,
            borderColor: 'surface.lineStrong',
            bgcolor: 'surface.raised',
            color: 'text.primary',
            fontSize: 12,
            fontWeight: 500,
            whiteSpace: 'nowrap',
            '&:hover': { bgcolor: 'surface.hover' },
            '&.Mui-disabled': { opacity: 0.5 },
          }}
        >
          {live ? <Icon path={mdiRestart} sx={{ fontSize: 18 }} /> : texts.tryAgain.button}
        </ButtonBase>
      </span>
    </Tooltip>
  );
}
