import { mdiClose } from '@mdi/js';
import { Box } from '@mui/material';
import { formatClock, formatDuration } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import type { SelectionControl } from './marks.ts';
import { texts } from './texts.ts';

/** Below this width the duration replaces In and Out, which the timeline below shows. */
const narrow = '@container transport (max-width: 847.95px)';
/** Within this range of widths In and Out are shown without the duration. */
const middle = '@container transport (min-width: 848px) and (max-width: 1039.95px)';

/** Shows In, Out and the duration between them. Outside of a `transport` container, all three are always shown. */
export function SelectionText({ inUs, outUs, onChange }: SelectionControl) {
  const isComplete = inUs !== null && outUs !== null;
  const hiddenEnd = isComplete ? narrow : null;
  return (
    <Box
      role="group"
      aria-label={texts.selection}
      sx={{
        ...{ display: 'flex', alignItems: 'center', gap: 3, px: 2, whiteSpace: 'nowrap', color: 'text.secondary' },
        [narrow]: { gap: 1, px: 0 },
      }}
    >
      {inUs !== null && <Moment name={texts.selectionIn} text={formatClock(inUs)} hiddenAt={hiddenEnd} />}
      {outUs !== null && <Moment name={texts.selectionOut} text={formatClock(outUs)} hiddenAt={hiddenEnd} />}
      {isComplete && (
        <Moment name={texts.selectionLength} text={formatDuration((outUs - inUs) / 1e6)} hiddenAt={middle} />
      )}
      <Action label={texts.clearSelection} icon={mdiClose} onClick={() => onChange({ inUs: null, outUs: null })} />
    </Box>
  );
}

/** `hiddenAt`: container query by which it is hidden for lack of room. */
const Moment = ({ name, text, hiddenAt }: { name: string; text: string; hiddenAt: string | null }) => (
  <Box component="span" sx={hiddenAt === null ? {} : { [hiddenAt]: { display: 'none' } }}>
    {name}{' '}
    <Box component="strong" data-figures="" sx={{ fontWeight: 600, color: 'text.primary' }}>
      {text}
    </Box>
  </Box>
);
