import { Box, LinearProgress, Link, Typography } from '@mui/material';
import { getStoredCheck, type StoredCheckFacts } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../api/api.ts';
import { fill, formatCount, formatSize, formatTime } from '../base/format.ts';
import { texts } from './texts.ts';

const words = texts.stored;
const POLL_MS = 10_000;

/** Shows the progress and the findings of the daily check of stored files. */
export function StoredCheck() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['storedCheck'],
    queryFn: ({ signal }) => api.call(getStoredCheck, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  if (!data) return <Box sx={{ height: 96 }} />;
  const { last, notHashed, damaged, oldestRead, rate } = data;
  return (
    <Box component="section" aria-label={words.title} sx={{ px: 4, py: 3 }}>
      <Typography variant="h3" component="h2">
        {words.title}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: 800, mt: 1 }}>
        {words.lead}
      </Typography>
      <Box sx={{ mt: 2 }}>{lastText(last)}</Box>
      {last !== null && last.ended === null && (
        <LinearProgress
          variant="determinate"
          value={Math.min(100, (100 * last.bytes) / Math.max(1, last.wantedBytes))}
          aria-label={words.running}
          sx={{ my: 1, maxWidth: 420 }}
        />
      )}
      {oldestRead !== null && (
        <Box sx={{ mt: 1 }}>
          {fill(words.oldest, { time: `${formatTime(oldestRead)} Z` })}
          {rate !== null && ` ${fill(words.rate, { rate: formatSize(rate) })}`}
        </Box>
      )}
      {notHashed > 0 && <Box>{formatCount(notHashed, words.notHashed)}</Box>}
      {damaged > 0 && (
        <Box sx={{ color: 'error.main', fontWeight: 600 }}>
          {formatCount(damaged, words.damaged)}{' '}
          <Link component={RouterLink} to="/backups" color="inherit">
            {words.toBackups}
          </Link>
        </Box>
      )}
    </Box>
  );
}

function lastText(last: StoredCheckFacts['last']): string {
  if (last === null) return words.never;
  const { started, ended, files, bytes, wantedBytes, damaged } = last;
  const read = { time: `${formatTime(ended ?? started)} Z`, files: formatCount(files, words.files) };
  if (ended === null) return fill(words.going, { ...read, size: formatSize(bytes), of: formatSize(wantedBytes) });
  const result = damaged === 0 ? words.noneFound : formatCount(damaged, words.found);
  return fill(words.last, { ...read, size: formatSize(bytes), result });
}
