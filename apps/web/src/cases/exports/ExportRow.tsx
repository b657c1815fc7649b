import { mdiClose, mdiContentCopy, mdiDownload, mdiTrashCanOutline } from '@mdi/js';
import { Box, Button, LinearProgress } from '@mui/material';
import type { CaseExport } from '@osprey/contract';
import { fill, formatCount, formatDate, formatNumber, formatSize, formatTime, plainText } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { holdsText } from './holds-text.ts';
import { texts } from './texts.ts';

type Props = {
  caseId: string;
  version: CaseExport;
  mayDownload: boolean;
  onRelease: () => void;
  onRemove: () => void;
};

/** Row with one exported version: its author, its content, its checksum, and the actions on it. */
export function ExportRow({ caseId, version: one, mayDownload, onRelease, onRemove }: Props) {
  const { show } = useSnackbar();
  const { version, state, sha256 } = one;
  const isOpen = state === 'Making' || state === 'WaitsForRelease';
  const percent = Math.floor(Math.max(0, Math.min(100, one.progress)));
  const facts = [
    fill(texts.by, { by: plainText(one.by), time: formatTime(one.created) }),
    holdsText(one),
    ...(one.releasedBy === null ? [] : [fill(texts.released, { name: plainText(one.releasedBy) })]),
    ...(state === 'Ready'
      ? [
          one.downloads === 0 ? texts.neverDownloaded : formatCount(one.downloads, texts.downloads),
          fill(texts.expires, { date: formatDate(one.expires) }),
        ]
      : []),
  ];
  const stateLabel = fill(texts.states[state], {
    percent: formatNumber(percent),
    size: one.sizeBytes === null ? '' : formatSize(one.sizeBytes),
  });

  async function copy() {
    if (sha256 === null) return;
    try {
      await navigator.clipboard.writeText(sha256);
      show(texts.copied);
    } catch {
      show(fill(texts.copyFailed, { sum: sha256 }), 'warning');
    }
  }

  return (
    <Box component="li" sx={{ px: 3, py: 2.5, borderBottom: 1, borderColor: 'divider', display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 13, fontWeight: 600 }}>
          {fill(texts.version, { version })}
        </Box>
        <LabelMark label={one.securityClassification} />
        <Box component="span" sx={{ color: state === 'Failed' ? 'error.main' : 'text.secondary', fontSize: 12 }}>
          {stateLabel}
        </Box>
        <Box sx={{ ml: 'auto', display: 'flex', gap: 1, alignItems: 'center' }}>
          {one.releasable && (
            <Button aria-label={fill(texts.releaseLabel, { version })} onClick={onRelease}>
              {texts.release}
            </Button>
          )}
          {state === 'Ready' && mayDownload && (
            <Action
              component="a"
              {...({ href: `/api/cases/${caseId}/exports/${one._id}/file`, download: one.fileName } as object)}
              label={fill(texts.download, { version })}
              icon={mdiDownload}
            />
          )}
          {one.removable && (
            <Action
              label={fill(isOpen ? texts.cancel : texts.remove, { version })}
              icon={isOpen ? mdiClose : mdiTrashCanOutline}
              onClick={onRemove}
            />
          )}
        </Box>
      </Box>
      {state === 'Making' && (
        <LinearProgress variant="determinate" value={percent} aria-label={fill(texts.progress, { version })} />
      )}
      <Box sx={{ color: 'text.secondary', fontSize: 12, overflowWrap: 'anywhere' }}>{facts.join(' · ')}</Box>
      {one.message !== null && <Box sx={{ fontSize: 12, overflowWrap: 'anywhere' }}>{one.message}</Box>}
      {one.leftOut && <Box sx={{ fontSize: 12 }}>{fill(texts.leftOut, { maker: plainText(one.by) })}</Box>}
      {one.differs && <Box sx={{ fontSize: 12, color: 'warning.main' }}>{texts.differs}</Box>}
      {sha256 !== null && (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
          <Box
            component="code"
            aria-label={fill(texts.sha256, { version })}
            sx={{ fontSize: 11, overflowWrap: 'anywhere', minWidth: 0, color: 'text.secondary' }}
          >
            {sha256}
          </Box>
          <Action
            size="small"
            label={fill(texts.copy, { version })}
            icon={mdiContentCopy}
            onClick={() => void copy()}
          />
        </Box>
      )}
    </Box>
  );
}
