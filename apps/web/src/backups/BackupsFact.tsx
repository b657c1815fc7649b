import { Link } from '@mui/material';
import { Link as RouterLink } from 'react-router';
import { fill, formatNumber, formatTime } from '../app/format.ts';
import { texts } from './texts.ts';
import { useBackupFacts } from './useBackups.ts';

/** For the dashboard: how many backups there are, as a link to them, and when one was last proved or could be seen. */
export function BackupsFact() {
  const { data } = useBackupFacts();
  if (data === undefined) return null;
  const { count, lastVerified, awaySince } = data;
  const proved =
    lastVerified === null ? texts.fact.never : fill(texts.fact.verified, { time: formatTime(lastVerified) });
  return (
    <>
      <Link component={RouterLink} to="/backups" aria-label={fill(texts.fact.link, { count })}>
        {formatNumber(count)}
      </Link>{' '}
      {awaySince === null ? proved : fill(texts.fact.away, { time: formatTime(awaySince) })}
    </>
  );
}
