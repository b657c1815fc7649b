import { Tooltip } from '@mui/material';
import { formatLocalTime, formatTime, NONE } from '../base/format.ts';

/** A moment in UTC, with the reader's own time on hover; a dash for none. */
export function TimeText({ timeUs }: { timeUs: number | null }) {
  if (timeUs === null) return NONE;
  return (
    <Tooltip title={formatLocalTime(timeUs)}>
      <span>{formatTime(timeUs)}</span>
    </Tooltip>
  );
}
