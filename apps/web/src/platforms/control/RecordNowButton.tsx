import { ButtonBase, Tooltip, useMediaQuery } from '@mui/material';
import { can } from '@osprey/contract';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { size } from '../../base/sizes.ts';
import { factsOf, itemOf, type Row } from '../rows.ts';
import { useRecording } from './recording.ts';
import { texts } from './texts.ts';

/** Next to Record where that would open a dialog: starts at once. For who may control the platform. */
export function RecordNowButton({ row }: { row: Row }) {
  const actor = useActor();
  const { recordNow, busyIds } = useRecording();
  const coarse = useMediaQuery('(max-width: 599.95px), (pointer: coarse)');
  const { _id, name } = itemOf(row);
  const fullName = row.kind === 'sensor' ? `${row.platform.name} ${name}` : name;
  if (row.platform.live || !can(actor, 'platform.control', factsOf(row.platform)).allowed) return null;
  return (
    <Tooltip title={fill(texts.now.hint, { name: fullName })} placement="right">
      <span>
        <ButtonBase
          aria-label={fill(texts.now.label, { name: fullName })}
          disabled={busyIds.has(_id)}
          onClick={() => recordNow(row)}
          sx={{
            minWidth: size.touch,
            height: coarse ? size.touch : size.controlSmall,
            border: 1,
            borderRadius: 1.5,
            borderColor: 'surface.lineStrong',
            bgcolor: 'surface.raised',
            color: 'text.primary',
            fontSize: 12,
            fontWeight: 500,
            '&:hover': { bgcolor: 'surface.hover' },
            '&.Mui-disabled': { opacity: 0.5 },
          }}
        >
          {texts.now.button}
        </ButtonBase>
      </span>
    </Tooltip>
  );
}
