import { Box, FormControl, FormControlLabel, FormLabel, Radio, RadioGroup, Switch, Typography } from '@mui/material';
import { useId } from 'react';
import { chooseUnits, type Units, unitChoices, useUnits } from '../base/units.ts';
import { PlainDialog } from '../ui/dialog/PlainDialog.tsx';
import { texts } from './texts.ts';

const words = texts.units;
const groups = Object.keys(unitChoices) as (keyof typeof unitChoices)[];

/** Dialog for the units of coordinates, lengths and speeds. Each choice is applied immediately. */
export function UnitsDialog({ onClose }: { onClose: () => void }) {
  const units = useUnits();
  const id = useId();
  return (
    <PlainDialog title={words.title} width="xs" onClose={onClose}>
      <Box sx={{ p: 5, display: 'grid', gap: 3, overflow: 'auto' }}>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {words.lead}
        </Typography>
        {groups.map((group) => (
          <FormControl key={group}>
            <FormLabel id={`${id}-${group}`}>{words.groups[group]}</FormLabel>
            <RadioGroup
              aria-labelledby={`${id}-${group}`}
              value={units[group]}
              onChange={(_event, value) => chooseUnits({ [group]: value } as Partial<Units>)}
            >
              {unitChoices[group].map((choice) => (
                <FormControlLabel
                  key={choice}
                  value={choice}
                  control={<Radio size="small" />}
                  label={(words.choices[group] as Record<string, string>)[choice]}
                />
              ))}
            </RadioGroup>
          </FormControl>
        ))}
        <FormControlLabel
          control={<Switch checked={units.crossHair} onChange={(_event, crossHair) => chooseUnits({ crossHair })} />}
          label={words.crossHair}
        />
      </Box>
    </PlainDialog>
  );
}
