import { mdiProgressUpload } from '@mdi/js';
import { Box, Button, Typography } from '@mui/material';
import { can, isOfRecording, listJobs, type RecordingJob } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { useServerState } from '../../events/events.ts';
import { CountButton } from '../../ui/CountButton.tsx';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { PanelBelow } from '../../ui/PanelBelow.tsx';
import { uploadStore, useUploads } from '../../uploads/upload-store.ts';
import { isUploading, onUploadFailed, serverIsBack } from '../../uploads/uploads.ts';
import { useRequestedExports } from '../exports/export-store.ts';
import { useActivityNews } from './activity-news.ts';
import { byMission } from './by-mission.ts';
import type { Failure } from './RefusedFiles.tsx';
import { texts } from './texts.ts';

const RefusedFiles = laterDialog(async () => (await import('./RefusedFiles.tsx')).RefusedFiles);
const ActivityList = later(async () => (await import('./ActivityList.tsx')).ActivityList);
const ExportsPart = later(async () => (await import('../exports/ExportsPart.tsx')).ExportsPart);

const noJobs: RecordingJob[] = [];
const JOBS_POLL_MS = 10_000;

/**
 * Button and list for uploads of this page and jobs of the server: their progress and their controls. `news`: rows of
 * other features.
 */
export function ActivityTray({ news }: { news: ReactNode }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const uploads = useUploads();
  const jobs = useJobs();
  const refused = useUploadCare();
  const busy = uploads.filter(({ state }) => state !== 'done' && state !== 'failed').length;
  const requested = useRequestedExports().size;
  const atWork = byMission(jobs.filter(({ state }) => state === 'running' || state === 'waiting'));
  const count = requested + busy + atWork.length;
  const done = uploads.filter(({ state }) => state === 'done');
  const actor = useActor();

  function clearDone() {
    for (const { id } of done) uploadStore.remove(id);
  }

  const { all, unseen } = useActivityNews();
  // Hidden for the guest unless files are being uploaded: every other account may export clips, but the guest has
  // nothing that could be running.
  if (actor.role === 'guest' && uploads.length === 0) return null;

  return (
    <>
      <CountButton
        label={fill(unseen > 0 ? texts.openNew : texts.open, { count, unseen })}
        title={texts.title}
        icon={mdiProgressUpload}
        count={count + unseen}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      {requested > 0 && <ExportsPart shown={false} />}
      {refused}
      <PanelBelow
        label={texts.title}
        anchor={anchor}
        onClose={() => setAnchor(null)}
        sx={{ width: 560, maxHeight: 480, bgcolor: 'surface.raised' }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', px: 3, py: 2, borderBottom: 1, borderColor: 'divider' }}>
          <Typography variant="h3">{texts.title}</Typography>
          {done.length > 0 && (
            <Button variant="text" sx={{ ml: 'auto' }} onClick={clearDone}>
              {texts.clearDone}
            </Button>
          )}
        </Box>
        <ActivityList uploads={uploads} jobs={jobs} isAlone={all === 0} />
        {all > 0 && (
          // A link opens another page, so the list is closed, which would otherwise cover it.
          <Box onClick={({ target }) => (target as Element).closest('a') && setAnchor(null)}>{news}</Box>
        )}
      </PanelBelow>
    </>
  );
}

/** Returns unfinished jobs of missions that this account may edit. */
function useJobs(): readonly RecordingJob[] {
  const api = useApi();
  const actor = useActor();
  const query = useQuery({
    queryKey: ['jobs'],
    queryFn: ({ signal }) => api.call(listJobs, {}, { signal }),
    enabled: can(actor, 'mission.createAny').allowed,
    // Changes are reported by events; polling covers jobs whose last event was lost.
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? JOBS_POLL_MS : false),
  });
  return useMemo(() => query.data?.filter(isOfRecording) ?? noJobs, [query.data]);
}

/**
 * Shows upload failures on any page, resumes uploads when the server is back, and warns before the page is left.
 * Returns the message about failed uploads.
 */
function useUploadCare(): ReactNode {
  const state = useServerState();
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  useEffect(() => onUploadFailed((item, message) => setFailures((before) => [...before, { item, message }])), []);
  useEffect(() => {
    if (state === 'Online') serverIsBack();
  }, [state]);
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isUploading()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, []);
  if (failures.length === 0) return null;
  const onAnswered = (shown: readonly Failure[]) =>
    setFailures((before) => before.filter((failure) => !shown.includes(failure)));
  return <RefusedFiles failures={failures} onAnswered={onAnswered} onClose={() => setFailures([])} />;
}
