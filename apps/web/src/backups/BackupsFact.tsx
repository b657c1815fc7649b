import { Link } from '@mui/material';
import type { BackupFacts } from '@osprey/contract';
import { Link as RouterLink } from 'react-router';
import { fill, formatCount, formatNumber, formatTime } from '../base/format.ts';
import { texts } from './texts.ts';
import { useBackupFacts } from './useBackups.ts';

/** Card of the dashboard with the number of backups, as a link to the list, and the outcome of the last backup. */
export function BackupsFact() {
  const { data } = useBackupFacts();
  if (data === undefined) return null;
  const { count } = data;
  // The accessible name contains the visible text (WCAG 2.5.3).
  const name = count === 0 ? `${texts.fact.name}: ${stateOf(data)}` : formatCount(count, texts.fact.link);
  return (
    <>
      <Link component={RouterLink} to="/backups" aria-label={name}>
        {count === 0 ? stateOf(data) : formatNumber(count)}
      </Link>{' '}
      {count > 0 && stateOf(data)}
    </>
  );
}

function stateOf({ count, last, lastVerified, awaySince }: BackupFacts): string {
  if (awaySince !== null) return fill(texts.fact.away, { time: formatTime(awaySince) });
  if (last?.state === 'failed') return fill(texts.fact.failed, { time: formatTime(last.created) });
  if (last?.state === 'incomplete') return fill(texts.fact.incomplete, { time: formatTime(last.created) });
  if (count === 0) return texts.fact.none;
  return lastVerified === null ? texts.fact.never : fill(texts.fact.verified, { time: formatTime(lastVerified) });
}
