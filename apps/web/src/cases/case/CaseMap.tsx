import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box } from '@mui/material';
import type { CasePart } from '@osprey/contract';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../base/format.ts';
import { useStartedMap } from '../../map/useStartedMap.ts';
import { FILLS, MAP_SX } from '../../map/view.ts';
import { Notice } from '../../ui/notice/Notice.tsx';
import { useScheme } from '../../ui/StateDot.tsx';
import { texts } from './texts.ts';

type Props = { parts: readonly CasePart[]; chosen: string | null; onChoose: (id: string) => void };

const words = texts.map;

/** Map of the parts; a click on a part selects it in the list. */
export function CaseMap({ parts, chosen, onChoose }: Props) {
  const scheme = useScheme();
  const latest = useRef(onChoose);
  useEffect(() => {
    latest.current = onChoose;
  });
  const placed = parts.filter(({ extent }) => extent !== null).length;
  const isEmpty = placed === 0;
  const { container, drawing, failed } = useStartedMap(
    async (element) => (await import('./map-drawing.ts')).startParts(element, scheme, (id) => latest.current(id)),
    `${scheme} ${isEmpty}`,
  );

  useEffect(() => {
    drawing?.setParts(parts);
    drawing?.setChosen(chosen, parts);
  }, [drawing, parts, chosen]);

  if (isEmpty) return <Notice icon={mdiMapMarkerOffOutline} title={words.none} />;
  const without = parts.length - placed;
  return (
    <Box data-map={drawing ? 'ready' : 'waiting'} sx={{ ...MAP_SX, position: 'relative', height: '100%' }}>
      <section ref={container} aria-label={words.label} style={FILLS} />
      {failed && <Notice failed icon={mdiMapMarkerOffOutline} title={texts.mapFailed} />}
      {without > 0 && (
        <Box
          role="note"
          sx={{
            position: 'absolute',
            left: 8,
            bottom: 8,
            px: 2,
            fontSize: 12,
            borderRadius: 1,
            border: 1,
            borderColor: 'surface.line',
            bgcolor: 'surface.panel',
          }}
        >
          {formatCount(without, words.hidden)}
        </Box>
      )}
    </Box>
  );
}
