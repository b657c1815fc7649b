import { Box } from '@mui/material';
import type { Lookback } from '@osprey/contract';
import { fill, formatCount } from '../base/format.ts';
import { texts } from './texts.ts';

const kinds = ['notIndexed', 'withoutPosition', 'uncertainClock'] as const;

/** Lists recordings that may have seen the place although this could not be determined. */
export function Unsure({ found }: { found: Pick<Lookback, (typeof kinds)[number]> }) {
  const listed = kinds.filter((kind) => found[kind].count > 0);
  return listed.map((kind) => (
    <Box component="details" key={kind} sx={{ p: 1, fontSize: 12, color: 'text.secondary' }}>
      <summary>{formatCount(found[kind].count, texts[kind])}</summary>
      <Box component="ul" sx={{ my: 1, pl: 6 }}>
        {found[kind].sensors.map(({ sensorId, mission, sensor }) => (
          <li key={sensorId}>
            {mission}, {sensor}
          </li>
        ))}
        {found[kind].count > found[kind].sensors.length && (
          <li>{fill(texts.andMore, { count: String(found[kind].count - found[kind].sensors.length) })}</li>
        )}
      </Box>
    </Box>
  ));
}
