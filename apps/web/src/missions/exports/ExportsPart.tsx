import { mdiClose, mdiDownload, mdiFolderZipOutline, mdiPlay } from '@mdi/js';
import { Box, LinearProgress } from '@mui/material';
import { type ExportTask, listExports, removeExport, resumeExport } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, formatCount, formatNumber, formatSize } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Action } from '../../ui/Action.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { download } from './download.ts';
import { requestedExports, useRequestedExports } from './export-store.ts';
import { texts } from './texts.ts';

const POLL_MS = 1000;
const isOpen = ({ state }: ExportTask) => state === 'waiting' || state === 'running';

type Words = Omit<typeof texts, 'exported'> & { exported: string | typeof texts.exported };

function textsOf({ kind }: ExportTask): Words {
  if (kind === 'archive') return texts;
  const { running, cancelled, ...words } = texts.clips;
  return { ...texts, ...words, states: { ...texts.states, running, cancelled } };
}

type Props = {
  shown: boolean;
  /** Content to show if there is no export. */
  otherwise?: ReactNode;
};

/** List of this account's exports: shows their progress and downloads those that this page requested. */
export function ExportsPart({ shown, otherwise = null }: Props) {
  const api = useApi();
  const { show } = useSnackbar();
  const requested = useRequestedExports();
  const query = useQuery({
    queryKey: ['exports'],
    queryFn: ({ signal }) => api.call(listExports, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) || requested.size > 0 ? POLL_MS : false),
  });
  const exports = query.data;

  useEffect(() => {
    for (const task of exports ?? []) {
      if (!requested.has(task._id) || isOpen(task) || !requestedExports.take(task._id)) continue;
      const words = textsOf(task);
      const failed = (text: string) => show(fill(words.failed, { names: task.title, text }), 'error');
      if (task.state !== 'done') failed(task.error ?? texts.noReason);
      else
        download(api, task._id).then(
          () => show(fill(exportedText(words.exported, task.title), { names: task.title })),
          (error) => failed(errorText(error)),
        );
    }
  }, [api, exports, show, requested]);

  if (!shown) return null;
  if (exports?.length === 0) return otherwise;
  return exports?.map((task) => <ExportRow key={task._id} task={task} />);
}

function ExportRow({ task }: { task: ExportTask }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const { _id: id, kind, title, securityClassification, state, progress, sizeBytes, error } = task;
  const words = textsOf(task);
  const name = fill(words.row, { title });
  const text = fill(words.states[state], {
    percent: formatNumber(progress),
    size: formatSize(sizeBytes ?? 0),
    text: error ?? texts.noReason,
  });

  async function remove() {
    requestedExports.take(id);
    await api.call(removeExport, { params: { id } }).catch((failure) => show(errorText(failure), 'error'));
    await queries.invalidateQueries({ queryKey: ['exports'] });
  }

  /** Resumes an export. Like a new one, it is downloaded when it is ready. */
  async function resume() {
    try {
      await api.call(resumeExport, { params: { id } });
      requestedExports.add(id);
    } catch (failure) {
      show(errorText(failure), 'error');
    }
    await queries.invalidateQueries({ queryKey: ['exports'] });
  }

  return (
    <Box component="li" sx={{ listStyle: 'none', display: 'flex', alignItems: 'center', gap: 3, px: 3, py: 2 }}>
      <Icon path={mdiFolderZipOutline} sx={{ color: 'text.secondary', flex: 'none' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
          <ShownMark label={securityClassification} />
          <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
            {name}
          </Box>
          <Box
            component="span"
            sx={{ ml: 'auto', fontSize: 12, color: state === 'failed' ? 'error.main' : 'text.secondary' }}
          >
            {text}
          </Box>
        </Box>
        {isOpen(task) && (
          <LinearProgress variant="determinate" value={Math.min(100, progress)} aria-label={name} sx={{ mt: 1 }} />
        )}
      </Box>
      {state === 'done' && (
        <Action
          label={fill(words.download, { title })}
          icon={mdiDownload}
          onClick={() => void download(api, id).catch((failure) => show(errorText(failure), 'error'))}
        />
      )}
      {kind === 'clips' && (state === 'cancelled' || state === 'failed') && (
        <Action label={fill(texts.clips.resume, { title })} icon={mdiPlay} onClick={() => void resume()} />
      )}
      <Action
        label={fill(isOpen(task) ? words.cancel : words.remove, { title })}
        icon={mdiClose}
        onClick={() => void remove()}
      />
    </Box>
  );
}

/** Names of missions have no commas. */
const exportedText = (text: string | { one: string; many: string }, names: string): string =>
  typeof text === 'string' ? text : formatCount(names.split(', ').length, text);
