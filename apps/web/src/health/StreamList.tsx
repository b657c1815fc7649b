import { Box, ButtonBase } from '@mui/material';
import type { KlvHealth } from '@osprey/contract';
import { fill, formatNumber } from '../base/format.ts';
import type { TimelineEntry } from '../timeline/entry.ts';
import { StateDot } from '../ui/StateDot.tsx';
import { Block } from './Card.tsx';
import { texts } from './texts.ts';

type Props = {
  entries: readonly TimelineEntry[];
  chosen: string;
  onChoose: (id: string) => void;
  /** Health of the selected sensor; null until it has been read. */
  health: KlvHealth | null;
};

const dots = { good: 'online', warning: 'partial', none: 'unknown' } as const;

/** Lists the sensors of the mission, and the KLV streams of the selected one. */
export function StreamList({ entries, chosen, onChoose, health }: Props) {
  return (
    <Block title={texts.streams}>
      {entries.map(({ sensor }) => (
        <ButtonBase
          key={sensor._id}
          aria-pressed={sensor._id === chosen}
          onClick={() => onChoose(sensor._id)}
          sx={{
            display: 'block',
            width: '100%',
            textAlign: 'left',
            px: 3,
            py: 2,
            borderLeft: 2,
            borderColor: sensor._id === chosen ? 'primary.main' : 'transparent',
            bgcolor: sensor._id === chosen ? 'surface.selected' : 'transparent',
          }}
        >
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
            <Box component="span" sx={{ fontWeight: 600, flex: 1 }}>
              {sensor.name}
            </Box>
            <StateDot state={dots[sensor.klv?.state ?? 'none']} />
          </Box>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{sensor.klv?.text ?? texts.noKlv}</Box>
          {sensor._id === chosen && health && <Streams health={health} />}
        </ButtonBase>
      ))}
    </Block>
  );
}

function Streams({ health }: { health: KlvHealth }) {
  return (
    <Box sx={{ mt: 2, fontSize: 12, color: 'text.secondary' }}>
      {health.streams.map(({ fileId, pid, program, kind, standards, unknownKeys = {}, ratePerSecond }) => (
        <Box key={`${fileId}-${pid}-${program}`} sx={{ mt: 1 }}>
          <div>{fill(texts.streamOf, { pid, program, kind: texts.kinds[kind] })}</div>
          <div>
            {Object.entries(standards)
              .map(([standard, sets]) =>
                fill(texts.standards, { standard: standardName(standard), sets: formatNumber(sets) }),
              )
              .join(', ')}
          </div>
          {Object.entries(unknownKeys).map(([key, sets]) => (
            <Box key={key} sx={{ overflowWrap: 'anywhere' }}>
              {fill(texts.unknownKey, { key, sets: formatNumber(sets) })}
            </Box>
          ))}
          {ratePerSecond !== null && <div>{fill(texts.rate, { rate: formatNumber(ratePerSecond, 1) })}</div>}
        </Box>
      ))}
    </Box>
  );
}

/** Converts "st0601" to "ST 0601". */
const standardName = (name: string): string => name.toUpperCase().replace(/^([A-Z]+)(\d)/, '$1 $2');
