import { mdiPackageVariantClosed } from '@mdi/js';
import { Alert, Box, Button, DialogContent, LinearProgress, Skeleton, Typography } from '@mui/material';
import {
  can,
  PRODUCT_VERSION,
  type RunningUpdate,
  UPDATE_HEALTHY_MINUTES,
  type UpdatePackage,
  type UpdateResult,
  type Updates,
} from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { fill, formatSize, formatTime } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { FailedNotice } from '../ui/notice/FailedNotice.tsx';
import { Notice } from '../ui/notice/Notice.tsx';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import { texts } from './texts.ts';
import { useUpdate, useUpdates } from './useUpdates.ts';

const words = texts.updates;

const DOTS: Record<UpdatePackage['state'], DotState> = { checking: 'working', valid: 'online', refused: 'failed' };

/**
 * Dialog with the newer versions in the site's folder, the server's verdict on each, and the button to update to one.
 */
export function UpdatesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useUpdates();
  return (
    <PlainDialog title={words.title} onClose={onClose}>
      <DialogContent sx={{ '&&': { pt: 4 } }}>
        {data === undefined && error !== null && (
          <FailedNotice title={words.failed} error={error} onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <Skeleton variant="rectangular" height={120} />}
        {data !== undefined && <Content updates={data} />}
      </DialogContent>
    </PlainDialog>
  );
}

function Content({ updates: { installed, isSet, problem, packages, running, last } }: { updates: Updates }) {
  const [asked, setAsked] = useState<string | null>(null);
  const { busy, start } = useUpdate();
  const isAllowed = can(useActor(), 'server.update').allowed;
  const mayUpdate = isAllowed && running === null && !busy;
  return (
    <>
      {installed !== PRODUCT_VERSION && <OldPage />}
      {running !== null && <Progress running={running} />}
      {running === null && last !== null && <Last last={last} />}
      <Typography variant="body2" sx={{ mb: 2, color: 'text.secondary' }}>
        {isSet ? fill(words.lead, { installed }) : texts.cards.server.noUpdate}
        {isSet && !isAllowed && ` ${words.bySuperAdmin}`}
      </Typography>
      {problem !== null && <Notice failed icon={mdiPackageVariantClosed} title={words.unusable} text={problem} />}
      {isSet && problem === null && packages.length === 0 && (
        <Notice icon={mdiPackageVariantClosed} title={words.none} text={words.empty} />
      )}
      {packages.length > 0 && (
        <Box component="ul" aria-label={words.list} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {packages.map((found) => (
            <Row key={found.version} found={found} onUpdate={mayUpdate ? () => setAsked(found.version) : null} />
          ))}
        </Box>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={words.update}
          confirmText={words.update}
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            void start(asked);
          }}
        >
          <Typography>{fill(words.question, { from: installed, to: asked })}</Typography>
          <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
            {fill(words.text, { minutes: UPDATE_HEALTHY_MINUTES })}
          </Typography>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Notice that the page was loaded from the previous version. */
function OldPage() {
  return (
    <Alert
      severity="info"
      sx={{ mb: 2 }}
      action={
        <Button variant="text" onClick={() => window.location.reload()}>
          {words.reload}
        </Button>
      }
    >
      {fill(words.oldPage, { version: PRODUCT_VERSION })}
    </Alert>
  );
}

function Progress({ running: { version, step, progress } }: { running: RunningUpdate }) {
  const text = fill(words.steps[step], { version, percent: progress ?? 0 });
  return (
    <Box role="status" sx={{ mb: 3 }}>
      <Typography sx={{ mb: 1 }}>{text}</Typography>
      <LinearProgress
        aria-label={text}
        {...(progress === null ? {} : { variant: 'determinate' as const, value: progress })}
      />
    </Box>
  );
}

function Last({ last }: { last: UpdateResult }) {
  const { result, reason, restored, from, version, time } = last;
  const text = { done: words.lastDone, failed: words.lastFailed, rolledBack: words.lastRolledBack }[result];
  return (
    <Alert severity={result === 'done' ? 'success' : 'error'} sx={{ mb: 2, overflowWrap: 'anywhere' }}>
      {fill(text, { from, version, time: formatTime(time) })}
      {reason !== null && ` ${reason}`}
      {restored !== null && ` ${fill(words.restored, { backup: restored })}`}
    </Alert>
  );
}

type RowProps = {
  found: UpdatePackage;
  /** Starts the update; null if none may be started now. */
  onUpdate: (() => void) | null;
};

function Row({ found: { version, created, sizeBytes, state, reason }, onUpdate }: RowProps) {
  const isMade = created !== null && sizeBytes !== null;
  return (
    <Box
      component="li"
      sx={{
        ...{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 },
        ...{ py: 2, borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
        <Typography variant="body1" sx={{ fontWeight: 600 }}>
          {fill(words.version, { version })}
        </Typography>
        {isMade && (
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
      {state === 'valid' && onUpdate !== null && (
        <Button
          variant="contained"
          color="primary"
          aria-label={fill(words.updateTo, { version })}
          onClick={onUpdate}
          sx={{ ml: 'auto' }}
        >
          {words.update}
        </Button>
      )}
    </Box>
  );
}
