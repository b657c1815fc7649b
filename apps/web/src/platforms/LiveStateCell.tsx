import { Box, Tooltip } from '@mui/material';
import type { LivePlatform, LiveSensor } from '@osprey/contract';
import type { ComponentType } from 'react';
import { fill, formatRemaining } from '../base/format.ts';
import { useNowMs } from '../base/useNowMs.ts';
import { StateDot } from '../ui/StateDot.tsx';
import type { Row } from './rows.ts';
import { texts } from './texts.ts';

/** Component that shows the picture of a sensor while the pointer is over its state. */
export type Preview = ComponentType<{ platform: LivePlatform; sensor: LiveSensor }>;

/** Delay before a preview opens, in milliseconds, so that a pointer passing over it does not open one. */
const PREVIEW_AFTER_MS = 350;

/**
 * Returns the sensor whose picture is shown for the row: its own, or the first sensor of a platform that currently has
 * a picture; otherwise the reason why there is none.
 */
function previewOf(row: Row): { sensor: LiveSensor } | { reason: string } {
  const { platform } = row;
  const words = texts.noPreview;
  if (!platform.liveModes.includes('Preview')) return { reason: words.notAllowed };
  const candidates = (row.kind === 'sensor' ? [row.sensor] : platform.sensors).filter(({ type }) => type === 'video');
  if (candidates.length === 0) return { reason: words.noVideo };
  const online = candidates.filter(({ state }) => state === 'online');
  const sensor = online.find(({ video }) => video !== null);
  return sensor ? { sensor } : { reason: online.length > 0 ? words.noPicture : words.notOnline };
}

type Props = { row: Row; preview?: Preview | undefined };

/**
 * State of a stream as shape, colour and word. If previews are available, hovering over it shows one, or the reason why
 * there is none.
 */
export function LiveStateCell({ row, preview: Preview }: Props) {
  const found = Preview ? previewOf(row) : null;
  const picture = Preview && found && 'sensor' in found && <Preview platform={row.platform} sensor={found.sensor} />;
  const reason = found && 'reason' in found ? found.reason : null;
  return (
    <Tooltip
      title={picture ? <Box sx={{ width: 320, aspectRatio: '16 / 9', overflow: 'hidden' }}>{picture}</Box> : reason}
      placement="right"
      enterDelay={PREVIEW_AFTER_MS}
      enterNextDelay={PREVIEW_AFTER_MS}
      describeChild
      {...(picture && { slotProps: { tooltip: { sx: { p: 0, maxWidth: 'none', overflow: 'hidden' } } } })}
    >
      <Box
        component="span"
        sx={{ display: 'inline-flex', alignItems: 'center', gap: 2, pl: row.kind === 'sensor' ? 3 : 0 }}
      >
        <StateDot state={row.kind === 'platform' ? row.platform.state : row.sensor.state} />
        {row.kind === 'sensor' ? <SensorState sensor={row.sensor} /> : <PlatformState platform={row.platform} />}
      </Box>
    </Tooltip>
  );
}

const PlatformState = ({ platform }: { platform: LivePlatform }) => texts.states[platform.state];

function SensorState({ sensor }: { sensor: LiveSensor }) {
  const lost = sensor.state === 'lost' && sensor.since !== null;
  return lost ? <LostFor sinceUs={sensor.since!} /> : texts.states[sensor.state];
}

function LostFor({ sinceUs }: { sinceUs: number }) {
  const nowMs = useNowMs();
  return fill(texts.lostFor, { time: formatRemaining((nowMs - sinceUs / 1000) / 1000) });
}
