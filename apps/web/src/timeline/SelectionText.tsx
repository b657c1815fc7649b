import { mdiClose } from '@mdi/js';
import { Box } from '@mui/material';
import { formatClock, formatDuration } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import type { SelectionControl } from './marks.ts';
import { texts } from './texts.ts';

/** In, Out and the time between them. */
export function SelectionText({ inUs, outUs, onChange }: SelectionControl) {
  return (
    <Box
      role="group"
      aria-label={texts.selection}
      sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 2, whiteSpace: 'nowrap', color: 'text.secondary' }}
    >
      {inUs !== null && <Moment name={texts.selectionIn} text={formatClock(inUs)} />}
      {outUs !== null && <Moment name={texts.selectionOut} text={formatClock(outUs)} />}
      {inUs !== null && outUs !== null && (
        <Moment name={texts.selectionLength} text={formatDuration((outUs - inUs) / 1e6)} />
      )}
      <Action label={texts.clearSelection} icon={mdiClose} onClick={() => onChange({ inUs: null, outUs: null })} />
    </Box>
  );
}

const Moment = ({ name, text }: { name: string; text: string }) => (
  <span>
    {name}{' '}
    <Box component="strong" sx={{ fontWeight: 600, color: 'text.primary' }}>
      {text}
    </Box>
  </span>
);
