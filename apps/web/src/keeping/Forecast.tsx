import { Box, LinearProgress, Typography } from '@mui/material';
import { getStorageForecast } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, formatDate, formatNumber, formatSize, formatTime } from '../base/format.ts';
import { texts } from './texts.ts';

const words = texts.retention;
const POLL_MS = 60_000;
const DAY_US = 24 * 3600 * 1_000_000;

/** Shows the use of the disk, and when it will be full. */
export function Forecast() {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['retention', 'forecast'],
    queryFn: ({ signal }) => api.call(getStorageForecast, {}, { signal }),
    refetchInterval: POLL_MS,
  });
  if (!data) return <Box sx={{ height: 124 }} />;
  const { freeBytes, totalBytes, growthBytes, binBytes, fullTime, uploadsStopTime, days, ships } = data;
  const used = (100 * (totalBytes - freeBytes)) / Math.max(1, totalBytes);
  const maximum = Math.max(1, ...days.map(({ bytes }) => bytes));
  return (
    <Box
      component="section"
      aria-label={words.forecast}
      sx={{ px: 4, py: 3, height: '100%', display: 'flex', flexDirection: 'column' }}
    >
      <Typography variant="h3" component="h2" sx={{ mb: 2 }}>
        {words.forecast}
      </Typography>
      <Box sx={{ flex: 1, display: 'flex', flexWrap: 'wrap', columnGap: 6, rowGap: 3 }}>
        <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
          <Box sx={{ fontWeight: 600 }}>
            {fill(words.free, { free: formatSize(freeBytes), total: formatSize(totalBytes) })}
          </Box>
          <LinearProgress variant="determinate" value={used} aria-label={words.forecast} sx={{ my: 2 }} />
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {growthBytes === 0 && words.never}
            {growthBytes > 0 && isLate(fullTime) && words.late}
            {fullTime !== null && !isLate(fullTime) && fullText(fullTime)}
            {uploadsStopTime !== null &&
              !isLate(uploadsStopTime) &&
              `. ${fill(words.uploadsStop, { date: formatTime(uploadsStopTime) })}`}
          </Typography>
          {ships !== null && (
            <Typography variant="caption" sx={{ color: 'text.secondary' }}>
              {fill(words.ships, {
                size: formatSize(ships.bytes),
                day: formatSize(ships.dayBytes),
                after: formatSize(ships.dayBytes * ships.keepDays),
                days: String(ships.keepDays),
              })}
            </Typography>
          )}
        </Box>
        <Box sx={{ flex: '1 1 240px', maxWidth: 420, display: 'flex', flexDirection: 'column' }}>
          <Box
            role="img"
            aria-label={fill(words.chart, { size: formatSize(maximum) })}
            // Height 0 with flex: the bars become as high as the neighbouring elements.
            sx={{ flex: '1 0 48px', height: 0, display: 'flex', alignItems: 'flex-end', gap: '2px' }}
          >
            {days.map(({ time, bytes }) => (
              <Box
                key={time}
                title={fill(words.dayBytes, { date: formatDate(time), size: formatSize(bytes) })}
                sx={{ flex: 1, minHeight: '1px', bgcolor: bytes > 0 ? 'primary.main' : 'divider' }}
                style={{ height: `${(100 * bytes) / maximum}%` }}
              />
            ))}
          </Box>
          <Box
            sx={{ display: 'flex', justifyContent: 'space-between', fontSize: 11, color: 'text.secondary', mt: 0.5 }}
          >
            <span>{days[0] && formatDate(days[0].time)}</span>
            <span>{growthBytes > 0 && fill(words.mostOfDay, { size: formatSize(maximum) })}</span>
            <span>{words.today}</span>
          </Box>
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {fill(words.growth, { size: formatSize(growthBytes) })} ·{' '}
            {fill(words.inBin, { size: formatSize(binBytes) })}
          </Typography>
        </Box>
      </Box>
    </Box>
  );
}

/** Beyond this the rate of a month says nothing of the day. */
const LATE_US = 10 * 365.25 * DAY_US;
const isLate = (timeUs: number | null) => timeUs === null || timeUs > Date.now() * 1000 + LATE_US;

function fullText(fullTime: number): string {
  const days = Math.max(0, Math.floor((fullTime - Date.now() * 1000) / DAY_US));
  const text = days === 1 ? words.fullTomorrow : words.full;
  return fill(text, { days: formatNumber(days), date: formatTime(fullTime) });
}
