import { mdiClose, mdiRefresh } from '@mdi/js';
import { Box, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { cancelJob, getHealth, type HealthCheck, type Job, listJobs, missionsEvent, retryJob } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, formatNumber, formatTime, NONE } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useServerEvent } from '../events/events.ts';
import { Action } from '../ui/Action.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';

const words = texts.health;
const REFRESH_MS = 10_000;
const CLOCK_WARN_SECONDS = 2;

const dots: Record<HealthCheck['state'], DotState> = { ok: 'online', warning: 'lost', failed: 'failed' };

/** State of the server for operators, and the jobs that can be retried. */
export function HealthPanel() {
  const { checks, error, refetch } = useHealth();
  if (error !== null && checks === null) {
    return <FailedNotice title={words.failed} error={error} onRetry={refetch} />;
  }
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 2 }}>
        {checks?.map((check) => (
          <Box
            key={check.name}
            component="li"
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: '1fr auto', sm: '200px 96px 1fr' },
              gap: 2,
              px: 4,
              py: 2.5,
              '&:not(:last-of-type)': { borderBottom: 1, borderColor: 'divider' },
            }}
          >
            <Box sx={{ fontWeight: 600 }}>{words.names[check.name] ?? check.name}</Box>
            <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5 }}>
              <StateDot state={dots[check.state]} />
              {words.states[check.state]}
            </Box>
            <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, overflowWrap: 'anywhere' }}>{check.text}</Box>
          </Box>
        ))}
      </Box>
      <Jobs />
    </>
  );
}

function useHealth() {
  const api = useApi();
  const query = useQuery({
    queryKey: ['system', 'health'],
    queryFn: async ({ signal }) => {
      let date: string | null = null;
      const { checks = [] } = await api.call(
        getHealth,
        {},
        {
          signal,
          onHeaders: (headers) => {
            date = headers.get('date');
          },
        },
      );
      return [...checks, ...pageClock(date)];
    },
    refetchInterval: REFRESH_MS,
  });
  return { checks: query.data ?? null, error: query.error, refetch: query.refetch };
}

/** Check of this computer's clock, since times on screen depend on it. The date header has whole seconds. */
function pageClock(date: string | null): HealthCheck[] {
  if (date === null) return [];
  const seconds = Math.round((Date.now() - Date.parse(date)) / 1000);
  const state = Math.abs(seconds) > CLOCK_WARN_SECONDS ? 'warning' : 'ok';
  return [{ name: 'pageClock', state, text: fill(words.pageClock, { seconds: formatNumber(Math.abs(seconds)) }) }];
}

function Jobs() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { data } = useQuery({
    queryKey: ['jobs', 'all'],
    queryFn: ({ signal }) => api.call(listJobs, {}, { signal }),
    refetchInterval: REFRESH_MS,
  });
  useServerEvent(missionsEvent, () => void queries.invalidateQueries({ queryKey: ['jobs'] }));

  async function act(call: typeof retryJob | typeof cancelJob, job: Job) {
    try {
      show((await api.call(call, { params: { id: job._id } })).message);
    } catch (error) {
      show(errorText(error), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['jobs'] });
    await queries.invalidateQueries({ queryKey: ['system', 'health'] });
  }

  return (
    <>
      <Typography variant="h2" sx={{ mt: 6, mb: 2 }}>
        {words.jobs}
      </Typography>
      {data?.length === 0 && <Typography sx={{ color: 'text.secondary' }}>{words.noJobs}</Typography>}
      {data !== undefined && data.length > 0 && (
        // Focusable, since a region that scrolls sideways has to be reachable by keyboard.
        <Box role="region" aria-label={words.jobs} tabIndex={0} sx={{ overflowX: 'auto' }}>
          <Table size="small" aria-label={words.jobs}>
            <TableHead>
              <TableRow>
                {Object.values(words.job).map((name) => (
                  <TableCell key={name}>{name}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {data.map((job) => (
                <JobRow
                  key={job._id}
                  job={job}
                  onRetry={() => void act(retryJob, job)}
                  onCancel={() => void act(cancelJob, job)}
                />
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </>
  );
}

type JobRowProps = { job: Job; onRetry: () => void; onCancel: () => void };

function JobRow({ job, onRetry, onCancel }: JobRowProps) {
  const isFailed = job.state === 'failed';
  const progress = job.state === 'running' ? ` ${Math.round(job.progress)} %` : '';
  return (
    <TableRow>
      <TableCell>{job.kind}</TableCell>
      <TableCell>{`${job.state}${progress}`}</TableCell>
      <TableCell>{job.attempts}</TableCell>
      <TableCell>{formatTime(job.created)}</TableCell>
      <TableCell sx={{ whiteSpace: 'normal' }}>{job.error ?? NONE}</TableCell>
      <TableCell>
        {isFailed && <Action icon={mdiRefresh} label={fill(words.retry, { kind: job.kind })} onClick={onRetry} />}
        <Action icon={mdiClose} label={fill(words.cancel, { kind: job.kind })} onClick={onCancel} />
      </TableCell>
    </TableRow>
  );
}
