import { mdiCircle, mdiStop } from '@mdi/js';
import { ButtonBase, CircularProgress, Tooltip, useMediaQuery } from '@mui/material';
import { can } from '@osprey/contract';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { size } from '../../base/sizes.ts';
import { Icon } from '../../ui/Icon.tsx';
import { factsOf, itemOf, type Row } from '../rows.ts';
import { useRecording } from './recording.ts';
import { texts } from './texts.ts';

/** Button that starts or stops the recording of a row; shows a spinner while its command is being executed. */
export function RecordButton({ row }: { row: Row }) {
  const actor = useActor();
  const { press, busyIds } = useRecording();
  const coarse = useMediaQuery('(max-width: 599.95px), (pointer: coarse)');
  const { _id, name, live, state } = itemOf(row);
  const fullName = row.kind === 'sensor' ? `${row.platform.name} ${name}` : name;
  const busy = busyIds.has(_id);
  const mayControl = can(actor, 'platform.control', factsOf(row.platform)).allowed;
  const label = fill(live ? texts.stop : texts.record, { name: fullName });
  const side = coarse ? size.touch : size.controlSmall;
  return (
    <Tooltip title={mayControl ? label : texts.mayNot} placement="right">
      <span>
        <ButtonBase
          aria-label={busy ? fill(texts.busy, { name: fullName }) : label}
          aria-busy={busy}
          disabled={busy || !mayControl}
          onClick={() => press(row)}
          sx={{
            width: side,
            height: side,
            border: 1,
            borderRadius: 1.5,
            borderColor: 'surface.lineStrong',
            bgcolor: 'surface.raised',
            // Only dimmed, not disabled: a platform without a stream can be recorded too, and the recording then begins
            // with the first packet.
            color: state === 'online' || state === 'partial' ? 'text.primary' : 'text.disabled',
            '&:hover': { bgcolor: 'surface.hover' },
            '&.Mui-disabled': { opacity: busy ? 1 : 0.5 },
            ...(live && {
              color: 'error.main',
              borderColor: 'error.main',
              bgcolor: 'color-mix(in srgb, var(--mui-palette-error-main) 18%, transparent)',
            }),
          }}
        >
          {busy ? (
            <CircularProgress size={16} color="inherit" />
          ) : (
            <Icon path={live ? mdiStop : mdiCircle} sx={iconSx(live)} />
          )}
        </ButtonBase>
      </span>
    </Tooltip>
  );
}

const iconSx = (live: boolean) => ({ fontSize: live ? 20 : 13 });
