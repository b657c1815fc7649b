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
import { useMission } from '../useMissions.ts';
import { texts } from './texts.ts';

/** Row for a job of the server on one mission, which can be retried or cancelled. */
export function JobRow({ job }: { job: RecordingJob }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const mission = useMission(job.missionId).data;
  const update = useProgress(job.sensorId);
  const percent = update?.progress ?? job.progress;
  const name = fill(texts.job, { mission: mission?.name ?? texts.unknownMission, what: texts.jobs[job.kind] });
  const text = fill(texts.jobStates[job.state], {
    percent: formatNumber(percent),
    text: job.error ?? texts.jobFailed,
  });

  async function steer(what: typeof retryJob | typeof cancelJob) {
    try {
      await api.call(what, { params: { id: job._id } });
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
          {mission && <ShownMark label={mission.securityClassification} marked={mission.marked} />}
          <span>{name}</span>
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
        <Action label={fill(texts.retryJob, { job: name })} icon={mdiRefresh} onClick={() => void steer(retryJob)} />
      )}
      <Action label={fill(texts.cancelJob, { job: name })} icon={mdiClose} onClick={() => void steer(cancelJob)} />
    </Box>
  );
}
