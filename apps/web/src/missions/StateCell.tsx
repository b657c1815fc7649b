import { mdiAlert } from '@mdi/js';
import { Box, LinearProgress, Link, Tooltip } from '@mui/material';
import type { MissionState, MissionUpdate } from '@osprey/contract';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { fill, formatDuration, formatNumber } from '../base/format.ts';
import { unseen } from '../base/sizes.ts';
import { useNowMs } from '../base/useNowMs.ts';
import { ScrubOnHover } from '../onscreen/sheets/ScrubOnHover.tsx';
import type { SheetsSensor } from '../onscreen/sheets/sheets-sensor.ts';
import { Icon } from '../ui/Icon.tsx';
import { type DotState, StateDot } from '../ui/StateDot.tsx';
import { useProgress } from './progress.ts';
import { texts } from './texts.ts';
import { useMakesPictures } from './useMakesPictures.ts';

type Item = {
  _id: string;
  name: string;
  state: MissionState;
  thumbnail: string | null;
  progress: number | null;
  message: string | null;
  recordingStartTime: number | null;
};

const dots: Record<MissionState, DotState> = {
  Created: 'unknown',
  WaitingForData: 'unknown',
  Processing: 'working',
  Running: 'live',
  Ready: 'online',
  Stopped: 'offline',
};

type Props = {
  item: Item;
  /**
   * Id of the platform from which the item is being recorded; the state then links to the platform. Null: not being
   * recorded.
   */
  platformId?: string | null;
  /** Shows the text of the state to screen readers only; a picture or shape replaces it. */
  compact?: boolean;
  /** The sensor whose recording the picture runs through under the pointer; null for none. */
  scrubbed?: SheetsSensor | null;
};

/** Shows the state with its picture, or the work in progress on the item and its progress. */
export function StateCell({ item, platformId = null, compact = false, scrubbed = null }: Props) {
  const lastUpdate = useProgress(item._id);
  const makesPictures = useMakesPictures(item._id);
  // A mission that is being recorded has no percentage, since it continues as long as the platform flies.
  const flying = item.state === 'Running';
  const working = item.state === 'Processing' || flying;
  // Messages may arrive out of order: a message of a job that has ended must not stay on screen.
  const over = item.state === 'Ready' || item.state === 'Stopped';
  const update = over && lastUpdate?.type !== 'upload_progress' ? null : lastUpdate;
  if (update !== null || flying || (working && item.progress !== null))
    return <Working item={item} platformId={platformId} update={update} compact={compact} />;
  const failed = item.state === 'Stopped' && item.message !== null;
  const isMaking = makesPictures && item.state === 'Ready';
  // The words and a picture together are wider than the column.
  const hasPicture = item.state === 'Ready' && !(isMaking && item.thumbnail === null);
  return (
    <Tooltip title={item.message ?? (isMaking ? texts.makingPictures : '')}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
        {hasPicture && <Picture item={item} scrubbed={scrubbed} />}
        {(isMaking || !hasPicture) && <StateDot state={isMaking ? 'working' : failed ? 'failed' : dots[item.state]} />}
        <Box component="span" sx={compact || isMaking ? unseen : undefined}>
          {texts.states[item.state]}
        </Box>
        {isMaking && (
          <Box component="span" sx={compact || hasPicture ? unseen : undefined}>
            {texts.makingPictures}
          </Box>
        )}
        {item.message !== null && (
          <>
            <Icon path={mdiAlert} sx={{ fontSize: 14, color: 'warning.main' }} />
            <Box component="span" sx={unseen}>
              {item.message}
            </Box>
          </>
        )}
      </Box>
    </Tooltip>
  );
}

/** Shows the thumbnail, or the letter R if there is none or it cannot be loaded. */
function Picture({ item, scrubbed }: { item: Item; scrubbed: SheetsSensor | null }) {
  const [broken, setBroken] = useState(false);
  const frame = { width: 44, height: 26, borderRadius: 1, flex: 'none' } as const;
  if (item.thumbnail === null || broken) {
    return (
      <Box
        aria-hidden="true"
        sx={{
          ...frame,
          display: 'grid',
          placeItems: 'center',
          bgcolor: 'surface.raised',
          color: 'text.secondary',
          border: 1,
          borderColor: 'divider',
          fontWeight: 600,
        }}
      >
        {texts.ready}
      </Box>
    );
  }
  return (
    <ScrubOnHover sensor={scrubbed} width={frame.width} height={frame.height}>
      <Box
        component="img"
        src={item.thumbnail}
        alt={fill(texts.thumbnailOf, { name: item.name })}
        loading="lazy"
        onError={() => setBroken(true)}
        sx={{ ...frame, display: 'block', objectFit: 'cover', bgcolor: 'surface.raised' }}
      />
    </ScrubOnHover>
  );
}

function stepText(update: MissionUpdate | null, state: MissionState): string {
  if (update !== null) return texts.steps[update.type];
  return state === 'Processing' ? texts.steps.ingest_progress : texts.states[state];
}

/** The current step and its progress. Work after 100 % has no progress that is known. */
function workText(step: string, { percent, queued }: { percent: number | null; queued: boolean }): string {
  if (queued) return texts.step.queued;
  if (percent === null) return step;
  return percent >= 100 ? texts.step.last : fill(texts.step.percent, { step, percent: formatNumber(percent) });
}

type WorkingProps = { item: Item; platformId: string | null; update: MissionUpdate | null; compact: boolean };

function Working({ item, platformId, update, compact }: WorkingProps) {
  const percent = update?.progress ?? item.progress;
  const step = stepText(update, item.state);
  const queued = update === null && item.state === 'Processing' && percent === 0;
  const text = workText(step, { percent, queued });
  const beganUs = item.state === 'Running' ? item.recordingStartTime : null;
  return (
    <Tooltip title={text}>
      <Box
        sx={{ minWidth: 0, ...(compact ? { lineHeight: '18px' } : { display: 'flex', alignItems: 'center', gap: 2 }) }}
      >
        {!compact && <StateDot state={item.state === 'Running' ? 'live' : 'working'} />}
        {item.state === 'Running' && platformId !== null ? (
          <Link
            component={RouterLink}
            to={`/live?platforms=${platformId}`}
            aria-label={fill(texts.watchLive, { state: text, name: item.name })}
          >
            {text}
          </Link>
        ) : (
          text
        )}
        {beganUs !== null && <RecordingTime beganUs={beganUs} />}
        <LinearProgress
          aria-label={queued ? text : step}
          sx={{ flex: '0 1 48px', minWidth: 0, display: compact ? 'none' : 'block' }}
          {...(percent === null ? {} : { variant: 'determinate' as const, value: Math.min(100, percent) })}
        />
      </Box>
    </Tooltip>
  );
}

/** Shows how long a running recording has been recording, updated every second. */
function RecordingTime({ beganUs }: { beganUs: number }) {
  const time = formatDuration(useNowMs() / 1000 - beganUs / 1e6);
  return (
    <Box role="timer" aria-label={fill(texts.recordingBegan, { time })} sx={{ fontVariantNumeric: 'tabular-nums' }}>
      {time}
    </Box>
  );
}
