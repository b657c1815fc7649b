import { Box } from '@mui/material';
import { type Mission, NO_PLATFORM_NAME, type Sensor } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import { formatBearing } from '../base/bearings.ts';
import { platformInk } from '../base/colours.ts';
import { fill, NONE, plainText } from '../base/format.ts';
import { formatMeasured, formatPlace } from '../base/units.ts';
import type { ShownFrame } from '../onscreen/frames.ts';
import { setText } from '../onscreen/set-text.ts';
import { symbolOf } from '../onscreen/symbols.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';

type Fact = { name: string; text: (frame: ShownFrame) => string };

const numberOf = ({ values }: ShownFrame, ...tags: number[]): number | null => {
  const found = tags.map((tag) => values[tag]).find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : null;
};

const measured = (value: number | null, unit: 'm' | 'm/s'): string =>
  value === null ? NONE : formatMeasured(value, unit);

function headingText({ headingDeg, platform, timeUs }: ShownFrame): string {
  return headingDeg === null ? NONE : formatBearing(headingDeg, platform, timeUs);
}

/**
 * Values shown for the platform itself, by tag of ST 0601: 15 and 75 are the altitude above sea level and above the
 * ellipsoid, 56 the ground speed.
 */
const facts: readonly Fact[] = [
  { name: texts.facts.position, text: ({ platform }) => (platform ? formatPlace(platform) : NONE) },
  { name: texts.facts.altitude, text: (frame) => measured(numberOf(frame, 15, 75), 'm') },
  { name: texts.facts.heading, text: headingText },
  { name: texts.facts.speed, text: (frame) => measured(numberOf(frame, 56), 'm/s') },
];

/** Card shown instead of a picture for a sensor with telemetry only: its source, and the values at this moment. */
export function TelemetryCard({ mission, sensor }: { mission: Mission; sensor: Sensor }) {
  const { frames } = useViewServices();
  const values = useRef<(HTMLElement | null)[]>([]);
  const { platform } = mission;

  useEffect(
    () =>
      frames.subscribe((frame) => {
        if (frame.sensorId !== sensor._id) return;
        facts.forEach(({ text }, at) => void setText(values.current[at] ?? null, text(frame)));
      }),
    [frames, sensor._id],
  );

  return (
    <Box
      data-part="telemetry-card"
      sx={{
        display: 'grid',
        gap: 3,
        width: 'min(420px, calc(100cqw - 24px))',
        p: { xs: 2, sm: 4 },
        border: 1,
        borderColor: 'surface.lineStrong',
        borderRadius: 2,
        bgcolor: 'surface.panel',
        color: 'text.primary',
        fontSize: 13,
        lineHeight: '20px',
        '@container (max-width: 480px)': { gap: 1.5, p: 2 },
        // At the right, since the floating panel starts at the left.
        '@container (min-width: 680px)': { justifySelf: 'end', mr: 3 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
        <Icon
          path={symbolOf(platform.type).path}
          sx={{ fontSize: 22, flex: 'none', color: platformInk(platform.presentation.color, 'dark') }}
        />
        <Box sx={{ fontSize: 14, fontWeight: 600 }}>{texts.telemetryAlone}</Box>
        <Box
          sx={{
            ml: 'auto',
            color: 'text.secondary',
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
          }}
        >
          {platform.name === NO_PLATFORM_NAME
            ? platform.type
            : fill(texts.platform, { name: plainText(platform.name), type: platform.type })}
        </Box>
      </Box>
      <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: '3fr 2fr', columnGap: 4, rowGap: 1.5, m: 0 }}>
        {facts.map(({ name }, at) => (
          <Box key={name} sx={{ minWidth: 0 }}>
            <Box component="dt" sx={{ color: 'text.secondary', fontSize: 12, lineHeight: '16px' }}>
              {name}
            </Box>
            <Box
              component="dd"
              ref={(element: HTMLElement | null) => {
                values.current[at] = element;
              }}
              sx={{ m: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
            />
          </Box>
        ))}
      </Box>
      <Box
        sx={{
          color: 'text.secondary',
          fontSize: 12,
          lineHeight: '16px',
          overflowWrap: 'anywhere',
          '@container (max-width: 480px)': { display: 'none' },
        }}
      >
        {sensor.message ?? sensor.klv?.text}
      </Box>
    </Box>
  );
}
