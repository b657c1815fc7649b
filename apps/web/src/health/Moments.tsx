import { mdiPlayCircleOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import type { KlvHealth } from '@osprey/contract';
import { fill, formatClock, formatNumber, formatRemaining } from '../base/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { Block, MarkedLine } from './Card.tsx';
import { texts } from './texts.ts';

type Props = { health: KlvHealth; onShow: (timeUs: number) => void };

/** Maximum number of lines; the report that can be copied contains the total counts. */
const LINES_MAX = 50;

/** Lists gaps and clock jumps in the order of the recording, each with a button that shows its picture. */
export function Moments({ health, onShow }: Props) {
  const { gaps, jumps, wrong = [] } = health.clock;
  const moments = [
    ...gaps.map(({ time, seconds }) => ({ time, text: fill(texts.gapOf, { length: formatRemaining(seconds) }) })),
    ...jumps.flatMap(({ time, seconds }) =>
      time === null ? [] : [{ time, text: fill(texts.jumpOf, { seconds: formatNumber(seconds, 2) }) }],
    ),
    ...wrong.map(({ time, seconds, sets, bySeconds }) => {
      const counts = { seconds: formatNumber(seconds, 1), sets: formatNumber(sets) };
      const by = bySeconds === null ? null : formatNumber(bySeconds, 3);
      return { time, text: by === null ? fill(texts.wrongApart, counts) : fill(texts.wrongOf, { ...counts, by }) };
    }),
  ].sort((a, b) => a.time - b.time);
  if (moments.length === 0) return null;
  return (
    <Block title={texts.moments}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 320, overflow: 'auto' }}>
        {moments.slice(0, LINES_MAX).map(({ time, text }) => (
          <MarkedLine key={`${time} ${text}`} mark="warning">
            <Box component="span" sx={{ flex: 1 }}>
              {text}
            </Box>
            <ShowMoment timeUs={time} onShow={onShow} />
          </MarkedLine>
        ))}
      </Box>
    </Block>
  );
}

/** Button that shows the picture at a time. */
export function ShowMoment({ timeUs, onShow }: { timeUs: number; onShow: (timeUs: number) => void }) {
  return (
    <Button
      variant="text"
      color="primary"
      aria-label={fill(texts.showAt, { time: formatClock(timeUs) })}
      onClick={() => onShow(timeUs)}
      startIcon={<Icon path={mdiPlayCircleOutline} />}
      sx={{ height: 24 }}
    >
      {formatClock(timeUs)}
    </Button>
  );
}
