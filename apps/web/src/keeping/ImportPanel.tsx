import { mdiClose, mdiTrayArrowUp } from '@mdi/js';
import { Box, LinearProgress, Link, Typography } from '@mui/material';
import { type ImportedMission, type ImportTask, listImports, removeImport } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link as RouterLink } from 'react-router';
import { useApi } from '../api/api.ts';
import { fill, formatCount, formatNumber, formatTime } from '../base/format.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import { errorText } from '../base/transport-error.ts';
import { Action } from '../ui/Action.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { UploadRow } from '../uploads/UploadRow.tsx';
import { type UploadItem, useUploads } from '../uploads/upload-store.ts';
import { startUpload } from '../uploads/uploads.ts';
import { texts } from './texts.ts';

const words = texts.imports;
const POLL_MS = 1000;
const isOpen = ({ state }: ImportTask) => state === 'uploading' || state === 'waiting' || state === 'running';

/** Panel for archives that are imported as missions, with a report for each archive. */
export function ImportPanel() {
  const api = useApi();
  const queries = useQueryClient();
  const uploads = useArchiveUploads();
  const query = useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }) => api.call(listImports, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? POLL_MS : false),
  });
  useShownLabels(useMemo(() => labelsOf(query.data ?? []), [query.data]));
  const readAgain = () => queries.invalidateQueries({ queryKey: ['imports'] });
  // Uploads from this browser are shown with controls, so their tasks are left out of the server's list.
  const sentHere = new Set(uploads.map(({ url }) => url?.split('/').at(-1)));
  const tasks = query.data?.filter(({ _id }) => !sentHere.has(_id)) ?? [];

  function uploadFiles(files: File[]) {
    for (const file of files) startUpload(file, { kind: 'import' });
  }

  return (
    <Box sx={{ overflow: 'auto', px: 4, py: 3 }}>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 3, maxWidth: 800 }}>
        {words.lead}
      </Typography>
      <FileDrop what={words.what} name={words.name} accept=".zip,application/zip" onFiles={uploadFiles} />
      {query.isError && <FailedNotice title={words.failed} error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && tasks.length + uploads.length === 0 && (
        <Notice icon={mdiTrayArrowUp} title={words.empty} text={words.emptyText} />
      )}
      <Box component="ul" sx={{ my: 0, mx: -3, p: 0 }}>
        {uploads.map((item) => (
          <UploadRow key={item.id} item={item} name="short" />
        ))}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {tasks.map((task) => (
          <Import key={task._id} task={task} onRemoved={() => void readAgain()} />
        ))}
      </Box>
    </Box>
  );
}

/**
 * Returns the archive uploads of this browser that are not finished. Whenever one of them changes, the server's list is
 * read again.
 */
function useArchiveUploads(): UploadItem[] {
  const queries = useQueryClient();
  const all = useUploads().filter(({ target }) => target.kind === 'import');
  const steps = all.map(({ id, url, state }) => [id, url, state].join()).join();
  useEffect(() => {
    if (steps !== '') void queries.invalidateQueries({ queryKey: ['imports'] });
  }, [queries, steps]);
  return all.filter(({ state }) => state !== 'done');
}

const labelsOf = (tasks: readonly ImportTask[]) =>
  tasks.flatMap(({ missions }) => missions.map(({ securityClassification }) => securityClassification));

function Import({ task, onRemoved }: { task: ImportTask; onRemoved: () => void }) {
  const api = useApi();
  const { show } = useSnackbar();
  const { title, state, progress, error, missions, created } = task;
  const name = fill(words.progress, { title });
  const text = fill(words.states[state], { percent: formatNumber(progress), text: error ?? words.noReason });

  async function remove() {
    await api.call(removeImport, { params: { id: task._id } }).catch((failure) => show(errorText(failure), 'error'));
    onRemoved();
  }

  return (
    <Box component="li" sx={{ borderBottom: 1, borderColor: 'divider', py: 3 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
            <Box component="span" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
              {title}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {formatTime(created)}
            </Box>
            <Box component="span" sx={{ ml: 'auto', color: state === 'failed' ? 'error.main' : 'text.secondary' }}>
              {text}
            </Box>
          </Box>
          {isOpen(task) && (
            <LinearProgress variant="determinate" value={Math.min(100, progress)} aria-label={name} sx={{ mt: 1 }} />
          )}
        </Box>
        <Action
          label={fill(isOpen(task) ? words.cancel : words.remove, { title })}
          icon={mdiClose}
          onClick={() => void remove()}
        />
      </Box>
      {missions.map((mission, index) => (
        // The index is part of the key: names in an archive may repeat, but their order never changes.
        <Report key={mission._id ?? `${index}`} mission={mission} />
      ))}
    </Box>
  );
}

function Report({ mission }: { mission: ImportedMission }) {
  const { _id: id, name, securityClassification, marked, usergroups, usergroupsLeftOut, files, notes } = mission;
  const facts = [
    id === null ? words.notMade : formatCount(files, words.files),
    ...(usergroups.length > 0 ? [fill(words.groups, { names: usergroups.join(', ') })] : []),
    ...(usergroupsLeftOut.length > 0 ? [fill(words.leftOut, { names: usergroupsLeftOut.join(', ') })] : []),
  ];
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, pl: 4, pt: 2 }}>
      {id === null ? (
        <b>{name}</b>
      ) : (
        <Link
          component={RouterLink}
          to={`/missions?mission=${id}`}
          sx={{ fontWeight: 600 }}
          aria-label={fill(words.open, { name })}
        >
          {name}
        </Link>
      )}
      <LabelMark label={securityClassification} marked={marked} />
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {[...facts, ...notes].join(' · ')}
      </Typography>
    </Box>
  );
}
