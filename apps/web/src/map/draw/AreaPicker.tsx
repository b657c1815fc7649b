import { mdiMapMarkerOffOutline } from '@mdi/js';
import { Box, Button, ToggleButton, ToggleButtonGroup } from '@mui/material';
import type { DocumentGeometry } from '@osprey/contract';
import { polygonAreaSqKm } from '@osprey/geo';
import { useEffect, useRef, useState } from 'react';
import { formatArea } from '../../base/format.ts';
import { Notice } from '../../ui/notice/Notice.tsx';
import { useScheme } from '../../ui/StateDot.tsx';
import { texts } from '../texts.ts';
import { useStartedMap } from '../useStartedMap.ts';
import { FILLS, MAP_SX } from '../view.ts';
import type { AreaPolygon } from './area.ts';
import { BorderFields } from './BorderFields.tsx';
import type { DrawMode } from './drawing.ts';

type Props = {
  value: AreaPolygon | null;
  /** Existing place that is no single area; it is shown, but is not part of the picked area. */
  context?: DocumentGeometry | null;
  onChange: (polygon: AreaPolygon | null) => void;
};

/** Field to pick an area: drawn on the map as a rectangle or polygon, or by typing its borders. */
export function AreaPicker({ value, context = null, onChange }: Props) {
  const scheme = useScheme();
  const [mode, setMode] = useState<DrawMode>('rectangle');
  const now = useRef({ scheme, value, context, onChange });
  now.current = { scheme, value, context, onChange };
  const {
    container,
    drawing: tools,
    failed,
  } = useStartedMap(async (element) => {
    const { startAreaMap } = await import('./area-map.ts');
    const onDrawn = (drawn: AreaPolygon) => now.current.onChange(drawn);
    return startAreaMap({
      container: element,
      scheme: now.current.scheme,
      value: now.current.value,
      context: now.current.context,
      onDrawn,
    });
  });

  useEffect(() => tools?.show(value), [tools, value]);

  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={mode}
          aria-label={texts.areaPicker}
          onChange={(_event, next: DrawMode | null) => {
            if (next === null) return;
            setMode(next);
            tools?.setMode(next);
          }}
        >
          <ToggleButton value="rectangle">{texts.rectangle}</ToggleButton>
          <ToggleButton value="polygon">{texts.polygon}</ToggleButton>
        </ToggleButtonGroup>
        <Button disabled={value === null} onClick={() => onChange(null)}>
          {texts.clear}
        </Button>
        <Box role="status" sx={{ fontWeight: 600 }}>
          {value === null ? '' : formatArea(areaOf(value))}
        </Box>
        <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{texts.drawHint}</Box>
      </Box>
      <Box
        sx={{
          ...MAP_SX,
          position: 'relative',
          height: 420,
          borderRadius: 2,
          overflow: 'hidden',
          border: 1,
          borderColor: 'surface.line',
        }}
      >
        <section ref={container} aria-label={texts.areaPicker} style={FILLS} />
        {failed && <Notice failed icon={mdiMapMarkerOffOutline} title={texts.failed} />}
      </Box>
      <BorderFields value={value} onChange={onChange} />
    </Box>
  );
}

const areaOf = ({ coordinates }: AreaPolygon): number =>
  polygonAreaSqKm((coordinates[0] ?? []).map(([lon = 0, lat = 0]) => [lon, lat]));
