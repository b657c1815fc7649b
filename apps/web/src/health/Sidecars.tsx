import { mdiArrowExpandHorizontal, mdiSwapHorizontal } from '@mdi/js';
import { Box, Button } from '@mui/material';
import type { KlvHealth, Mission, Sensor } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatNumber, formatTime } from '../base/format.ts';
import { mayChangeSensors } from '../base/mission-rights.ts';
import { signedSeconds } from '../base/seconds.ts';
import { Icon } from '../ui/Icon.tsx';
import { Block, MarkedLine } from './Card.tsx';
import { LineUpDialog } from './LineUpDialog.tsx';
import { lineUpOf, type Sidecar } from './line-up.ts';
import type { Mark } from './report.ts';
import { texts } from './texts.ts';
import { useSidecar } from './useSidecar.ts';

type Props = { mission: Mission; sensor: Sensor; health: KlvHealth };

const words = texts.sidecars;

/** Lists the telemetry files of a video with their place in time, and actions to correct them. */
export function Sidecars({ mission, sensor, health }: Props) {
  const mayChange = mayChangeSensors(useActor(), mission);
  if (health.sidecars.length === 0) return null;
  return (
    <Block title={words.title}>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {health.sidecars.map((sidecar) => (
          <MarkedLine key={sidecar.fileId} mark={markOf(sidecar)}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              <Box sx={{ overflowWrap: 'anywhere', fontWeight: 600 }}>{sidecar.name}</Box>
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
                {linesOf(sidecar).map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </Box>
              {mayChange && <Actions mission={mission} sensor={sensor} sidecar={sidecar} />}
            </Box>
          </MarkedLine>
        ))}
      </Box>
    </Block>
  );
}

function markOf({ withinVideo, order, startAssumed, offset }: Sidecar): Mark {
  if (withinVideo === 0) return 'error';
  const isOrderAssumed = order?.basis === 'assumed' && !order.exchanged;
  return isOrderAssumed || (startAssumed && offset === 0) ? 'warning' : 'good';
}

function linesOf({ records, withinVideo, startTime, endTime, offset, order, startAssumed }: Sidecar): string[] {
  const part = withinVideo === records ? words.allWithin : fill(words.within, { count: formatNumber(withinVideo) });
  const within = withinVideo === null ? '' : part;
  const lines = [
    `${formatCount(records, words.records)}${within}`,
    fill(words.span, { from: formatTime(startTime), to: formatTime(endTime) }),
  ];
  if (offset !== 0) lines.push(fill(words.offset, { seconds: signedSeconds(offset) }));
  else if (startAssumed) lines.push(words.startAssumed);
  if (order !== null) {
    const basis = order.exchanged ? words.byUser : words.bases[order.basis];
    lines.push(fill(words.order, { first: words.firsts[order.first], basis }));
  }
  return lines;
}

/**
 * Whether the order of the coordinates may be wrong. Labelled coordinates, and those over 90 degrees, leave no doubt.
 */
const isDoubtful = ({ order }: Sidecar): boolean => order !== null && order.basis !== 'plausibility';

function Actions({ mission, sensor, sidecar }: { mission: Mission; sensor: Sensor; sidecar: Sidecar }) {
  const [isOpen, setOpen] = useState(false);
  const change = useSidecar(sensor, sidecar);
  const lineUp = lineUpOf(sensor, sidecar);
  const { name, order } = sidecar;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 1 }}>
      {lineUp !== null && (
        <Button
          variant="text"
          startIcon={<Icon path={mdiArrowExpandHorizontal} />}
          aria-label={fill(words.lineUpOf, { name })}
          onClick={() => setOpen(true)}
        >
          {words.lineUp}
        </Button>
      )}
      {isDoubtful(sidecar) && (
        <Button
          variant="text"
          startIcon={<Icon path={mdiSwapHorizontal} />}
          aria-label={fill(words.exchangeOf, { name })}
          onClick={() => void change({ exchanged: !order?.exchanged })}
        >
          {words.exchange}
        </Button>
      )}
      {isOpen && lineUp !== null && (
        <LineUpDialog
          mission={mission}
          sensor={sensor}
          sidecar={sidecar}
          lineUp={lineUp}
          onClose={() => setOpen(false)}
        />
      )}
    </Box>
  );
}
