import { Tooltip } from '@mui/material';
import { formatLocalTime, formatTime, NONE } from '../base/format.ts';

/** Time in UTC, with the local time on hover; a dash if there is none. */
export function TimeText({ timeUs }: { timeUs: number | null }) {
  if (timeUs === null) return NONE;
  return (
    <Tooltip title={formatLocalTime(timeUs)}>
      <span data-figures="">{formatTime(timeUs)}</span>
    </Tooltip>
  );
}
