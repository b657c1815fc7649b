import { mdiPackageVariantClosed } from '@mdi/js';
import { Box, DialogContent, Skeleton, Typography } from '@mui/material';
import type { UpdatePackage, Updates } from '@osprey/contract';
import { fill, formatSize, formatTime } from '../base/format.ts';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';
import { useUpdates } from './useUpdates.ts';

const words = texts.updates;

const DOTS: Record<UpdatePackage['state'], DotState> = { checking: 'working', valid: 'online', refused: 'failed' };

/** The newer versions in the folder of the site, and what the server thinks of each. */
export function UpdatesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useUpdates();
  return (
    <PlainDialog title={words.title} onClose={onClose}>
      <DialogContent>
        {data === undefined && error !== null && (
          <FailedNotice title={words.failed} error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <Skeleton variant="rectangular" height={120} />}
        {data !== undefined && <Content updates={data} />}
      </DialogContent>
    </PlainDialog>
  );
}

function Content({ updates: { installed, problem, packages } }: { updates: Updates }) {
  return (
    <>
      <Typography variant="body2" sx={{ mb: 2, color: 'text.secondary' }}>
        {fill(words.lead, { installed })}
      </Typography>
      {problem !== null && <Notice failed icon={mdiPackageVariantClosed} title={words.unusable} text={problem} />}
      {problem === null && packages.length === 0 && (
        <Notice icon={mdiPackageVariantClosed} title={words.none} text={words.empty} />
      )}
      <Box component="ul" aria-label={words.list} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {packages.map((found) => (
          <Row key={found.version} found={found} />
        ))}
      </Box>
    </>
  );
}

function Row({ found: { version, created, sizeBytes, state, reason } }: { found: UpdatePackage }) {
  const made = created !== null && sizeBytes !== null;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography variant="body1" sx={{ fontWeight: 600 }}>
          {fill(words.version, { version })}
        </Typography>
        {made && (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {fill(words.made, { time: formatTime(created), size: formatSize(sizeBytes) })}
          </Typography>
        )}
        {reason !== null && (
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {reason}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, fontSize: 13 }}>
        <StateDot state={DOTS[state]} />
        {words.states[state]}
      </Box>
    </Box>
  );
}
