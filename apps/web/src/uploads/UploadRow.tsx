import { mdiClose, mdiPause, mdiPlay, mdiRefresh, mdiTrayArrowUp } from '@mdi/js';
import { Box, Button, LinearProgress } from '@mui/material';
import { useRef } from 'react';
import { fill, formatNumber, formatProgress, formatRemaining } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';
import type { UploadItem, UploadState } from './upload-store.ts';
import { cancelUpload, continueWith, pauseUpload, resumeUpload } from './uploads.ts';

const colourOf: Partial<Record<UploadState, 'success' | 'warning' | 'error'>> = {
  done: 'success',
  paused: 'warning',
  unreachable: 'warning',
  interrupted: 'warning',
  failed: 'error',
};

/** Text with the progress in MB (kB for a file under 1 MB), or the outcome. */
export function uploadText(item: UploadItem): string {
  const { state, sentBytes, sizeBytes, bytesPerSecond, error } = item;
  const [sent, size] = formatProgress(sentBytes, sizeBytes);
  if (state === 'waiting') return fill(texts.waiting, { size });
  if (state === 'paused') return fill(texts.paused, { sent, size });
  if (state === 'interrupted') return fill(texts.interrupted, { sent, size });
  if (state === 'unreachable') return texts.unreachable;
  if (state === 'failed') return fill(texts.failed, { text: error });
  if (state === 'done') return fill(texts.done, { size });
  if (bytesPerSecond === null || bytesPerSecond === 0) return fill(texts.sent, { sent, size });
  const left = formatRemaining((sizeBytes - sentBytes) / bytesPerSecond);
  return fill(texts.rate, { sent, size, speed: formatNumber(bytesPerSecond / 1e6, 1), left });
}

type Props = {
  item: UploadItem;
  /** `long` includes the purpose of the file, `short` is only the file name (if all files have the same purpose). */
  name: 'long' | 'short';
};

/** Row of an upload with its progress and the buttons for its state. */
export function UploadRow({ item, name }: Props) {
  const { id, fileName: file, state, sizeBytes, sentBytes } = item;
  const colour = colourOf[state];
  const title = name === 'short' ? file : longName(item);
  // With short names, the label is shown on the common target instead.
  const label = name === 'long' && item.target.kind === 'sensor' ? item.target.label : null;
  return (
    <Box component="li" sx={{ listStyle: 'none', display: 'flex', alignItems: 'center', gap: 3, px: 3, py: 2 }}>
      <Icon path={mdiTrayArrowUp} sx={{ color: 'text.secondary', flex: 'none' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3 }}>
          {label !== null && <ShownMark label={label} />}
          <Box component="span" sx={{ fontWeight: 500, overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {title}
          </Box>
          <Box
            component="span"
            sx={{
              ml: 'auto',
              fontSize: 12,
              color: colour === undefined ? 'text.secondary' : `${colour}.main`,
              overflowWrap: 'anywhere',
            }}
          >
            {uploadText(item)}
          </Box>
        </Box>
        <LinearProgress
          variant="determinate"
          color={colour ?? 'primary'}
          value={sizeBytes === 0 ? 0 : Math.min(100, (sentBytes / sizeBytes) * 100)}
          aria-label={fill(texts.progressOf, { file })}
          sx={{ mt: 1 }}
        />
      </Box>
      {(state === 'running' || state === 'waiting') && (
        <Action label={fill(texts.pause, { file })} icon={mdiPause} onClick={() => pauseUpload(id)} />
      )}
      {state === 'paused' && (
        <Action label={fill(texts.resume, { file })} icon={mdiPlay} onClick={() => resumeUpload(id)} />
      )}
      {(state === 'failed' || state === 'unreachable') && (
        <Action label={fill(texts.retry, { file })} icon={mdiRefresh} onClick={() => resumeUpload(id)} />
      )}
      {state === 'interrupted' && <ChooseAgain item={item} />}
      <Action
        label={fill(state === 'done' ? texts.remove : texts.cancel, { file })}
        icon={mdiClose}
        onClick={() => cancelUpload(id)}
      />
    </Box>
  );
}

function longName({ target, fileName: file }: UploadItem): string {
  if (target.kind === 'import') return fill(texts.import, { file });
  if (target.kind === 'tiles') return fill(texts.tiles, { file });
  return fill(texts.upload, { file, mission: target.missionName, sensor: target.sensorName });
}

/** Button to choose the file again, since a page cannot reopen a file by itself after a reload. */
function ChooseAgain({ item }: { item: UploadItem }) {
  const input = useRef<HTMLInputElement>(null);
  const { show } = useSnackbar();
  return (
    <>
      <Button
        sx={{ height: 28 }}
        aria-label={fill(texts.chooseOf, { file: item.fileName })}
        onClick={() => input.current?.click()}
      >
        {texts.choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file && !continueWith(item.id, file)) show(fill(texts.otherFile, { file: item.fileName }), 'warning');
          event.target.value = '';
        }}
      />
    </>
  );
}
