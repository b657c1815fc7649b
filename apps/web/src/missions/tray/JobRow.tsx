import { mdiClose, mdiCogOutline, mdiRefresh } from '@mdi/js';
import { Box, LinearProgress } from '@mui/material';
import { cancelJob, type RecordingJob, retryJob } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill, formatNumber } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { useProgress } from '../progress.ts';
import { texts } from './texts.ts';

const order: readonly RecordingJob['kind'][] = ['archive', 'ingest', 'transcode', 'thumbnails'];
/** Position of a kind of job among those of equal state; kinds that are not listed come last. */
const positionOf = (kind: RecordingJob['kind']): number => (order.includes(kind) ? order.indexOf(kind) : order.length);
const weight: Record<RecordingJob['state'], number> = { failed: 0, running: 1, waiting: 2, done: 3, cancelled: 3 };

/** Job that states what is done with a mission: one that failed, else the first that runs, else the first that waits. */
const saying = (jobs: readonly RecordingJob[]): RecordingJob =>
  jobs.toSorted((a, b) => weight[a.state] - weight[b.state] || positionOf(a.kind) - positionOf(b.kind))[0]!;

/** Row for all jobs of the server on one mission, at least one, which can be retried or cancelled. */
export function JobRow({ jobs }: { jobs: readonly RecordingJob[] }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const job = saying(jobs);
  const { name: mission, securityClassification } = job.subject;
  const update = useProgress(job.sensorId);
  const alike = jobs.filter(({ kind, state }) => kind === job.kind && state === job.state);
  const mean = alike.reduce((sum, one) => sum + one.progress, 0) / alike.length;
  const percent = alike.length === 1 ? (update?.progress ?? job.progress) : mean;
  const name = fill(texts.job, { mission, what: texts.jobs[job.kind] });
  const text = fill(texts.jobStates[job.state], {
    what: texts.jobs[job.kind],
    percent: formatNumber(percent),
    text: job.error ?? texts.jobFailed,
  });

  async function steer(what: typeof retryJob | typeof cancelJob, steered: readonly RecordingJob[]) {
    try {
      for (const { _id } of steered) await api.call(what, { params: { id: _id } });
    } catch (error) {
      show(errorText(error), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['jobs'] });
  }

  return (
    <Box component="li" sx={{ listStyle: 'none', display: 'flex', alignItems: 'center', gap: 3, px: 3, py: 2 }}>
      <Icon path={mdiCogOutline} sx={{ color: 'text.secondary', flex: 'none' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
          <ShownMark label={securityClassification} />
          <span>{mission}</span>
          <Box
            component="span"
            sx={{ ml: 'auto', fontSize: 12, color: job.state === 'failed' ? 'error.main' : 'text.secondary' }}
          >
            {text}
          </Box>
        </Box>
        {job.state !== 'failed' && (
          <LinearProgress variant="determinate" value={Math.min(100, percent)} aria-label={name} sx={{ mt: 1 }} />
        )}
      </Box>
      {job.state === 'failed' && (
        <Action
          label={fill(texts.retryJob, { job: name })}
          icon={mdiRefresh}
          onClick={() => void steer(retryJob, alike)}
        />
      )}
      <Action
        label={fill(texts.cancelJob, { job: name })}
        icon={mdiClose}
        onClick={() => void steer(cancelJob, jobs)}
      />
    </Box>
  );
}
