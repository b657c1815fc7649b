import { Box, Button, MenuItem, Typography } from '@mui/material';
import { aoiModes } from '@osprey/contract';
import { useState } from 'react';
import { AreaPicker } from '../map/draw/AreaPicker.tsx';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import type { Area } from '../ui/filter/query-filter.ts';
import { texts as ui } from '../ui/texts.ts';
import { type AoiMode, type Filter, noFilter } from './filter.ts';
import { texts } from './texts.ts';

type Props = { filter: Filter; onChange: (filter: Filter) => void; onClose: () => void };

const words = texts.filters;

/** Dialog to draw the area on a map, and to choose which geometry of the missions is compared with it. */
export function AreaFilter({ filter, onChange, onClose }: Props) {
  const [area, setArea] = useState<Area | null>(filter.area);
  const [aoiMode, setAoiMode] = useState<AoiMode>(filter.aoiMode);

  function apply(next: Area | null) {
    onChange({ ...filter, area: next, aoiMode: next === null ? noFilter.aoiMode : aoiMode });
    onClose();
  }

  return (
    <FormDialog
      title={words.area}
      width={1280}
      dirty={false}
      onClose={onClose}
      onSubmit={() => apply(area)}
      aside={
        <Button onClick={() => apply(null)} disabled={filter.area === null}>
          {ui.filters.clear}
        </Button>
      }
      submitLabel={ui.filters.apply}
      canSubmit={area !== null}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 4, mb: 3 }}>
        <Typography sx={{ flex: 1, minWidth: 200, color: 'text.secondary' }}>{words.areaHint}</Typography>
        <Field
          select
          label={words.areaMode}
          value={aoiMode}
          onChange={(event) => setAoiMode(aoiModes.find((mode) => mode === event.target.value) ?? noFilter.aoiMode)}
          sx={{ width: 200 }}
        >
          {aoiModes.map((mode) => (
            <MenuItem key={mode} value={mode}>
              {words.areaModes[mode]}
            </MenuItem>
          ))}
        </Field>
      </Box>
      <Box sx={{ height: { xs: '60dvh', sm: 560 }, position: 'relative' }}>
        <AreaPicker value={area} onChange={(polygon) => setArea(polygon as Area | null)} />
      </Box>
    </FormDialog>
  );
}
