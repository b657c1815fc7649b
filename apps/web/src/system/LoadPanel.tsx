import { Box, Typography } from '@mui/material';
import { fill, formatNumber, formatSize, NONE } from '../base/format.ts';
import { type Course, courseOf, rateOf } from './load.ts';
import { texts } from './texts.ts';
import { COURSE_MS, useLoad } from './useLoad.ts';

const words = texts.load;
/** The charts are this long at first. */
const FIRST_SPAN_MS = 60_000;

/** Load of the server's process now, and its course since the page was opened. */
export function LoadPanel() {
  const samples = useLoad();
  const all = samples ?? [];
  return (
    <Box
      component="section"
      aria-label={words.title}
      sx={{ px: 4, py: 3, height: '100%', display: 'flex', flexDirection: 'column' }}
    >
      <Typography variant="h3" component="h2" sx={{ mb: 2 }}>
        {words.title}
      </Typography>
      <Box sx={{ flex: 1, display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fit, minmax(130px, 1fr))' }}>
        <Load
          name={words.processor}
          course={rateOf(all, 'process_cpu_seconds_total', 100)}
          least={100}
          show={(value) => `${formatNumber(value)} %`}
        />
        <Load
          name={words.memory}
          course={courseOf(all, 'process_resident_memory_bytes')}
          least={1e9}
          show={formatSize}
        />
        <Load
          name={words.received}
          course={rateOf(all, 'osprey_http_received_bytes_total')}
          least={1e6}
          show={(value) => fill(words.perSecond, { size: formatSize(value) })}
        />
        <Load
          name={words.delay}
          course={courseOf(all, 'nodejs_eventloop_lag_p99_seconds', 1000)}
          least={50}
          show={(value) => `${formatNumber(value)} ms`}
        />
      </Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary', mt: 1, mb: 0 }}>
        {words.lead}
      </Typography>
    </Box>
  );
}

type Props = {
  name: string;
  course: Course;
  /** Value at which the curve has full height, unless a larger one occurred, so that small changes look small. */
  least: number;
  show: (value: number) => string;
};

function Load({ name, course, least, show }: Props) {
  const now = course.at(-1)?.value ?? null;
  const largest = Math.max(0, ...course.map(({ value }) => value ?? 0));
  const text = now === null ? NONE : show(now);
  return (
    <Box sx={{ minWidth: 0, display: 'flex', flexDirection: 'column' }}>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {name}
      </Typography>
      <Box sx={{ fontSize: 16, fontWeight: 600, whiteSpace: 'nowrap' }}>{text}</Box>
      <Box
        component="svg"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={fill(words.course, { name, now: text, most: show(largest) })}
        sx={{
          display: 'block',
          width: '100%',
          // As high as the neighbouring charts.
          flex: '1 0 36px',
          height: 0,
          mt: 1,
          borderBottom: 1,
          borderColor: 'divider',
          color: 'primary.main',
        }}
      >
        <title>{fill(words.most, { most: show(largest) })}</title>
        <path
          d={pathOf(course, Math.max(least, largest))}
          fill="none"
          stroke="currentColor"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </Box>
    </Box>
  );
}

/**
 * Returns the path of the curve, from ten minutes ago, or from the first sample, at the left to the last sample at the
 * right; interrupted where values are missing.
 */
export function pathOf(course: Course, full: number): string {
  const end = course.at(-1)?.atMs ?? 0;
  const began = course.find(({ value }) => value !== null)?.atMs ?? end;
  const spanMs = Math.min(COURSE_MS, Math.max(FIRST_SPAN_MS, end - began));
  let pen = 'M';
  let path = '';
  for (const { atMs, value } of course) {
    if (value === null) {
      pen = 'M';
      continue;
    }
    const x = 100 - (100 * (end - atMs)) / spanMs;
    // One percent is left free at the top, so that a curve at its maximum remains visible.
    path += `${pen}${x.toFixed(2)} ${(100 - (99 * value) / full).toFixed(2)}`;
    pen = 'L';
  }
  return path;
}
