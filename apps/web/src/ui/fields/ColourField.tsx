import { Box, ButtonBase } from '@mui/material';
import { platformColours } from '../../base/colours.ts';
import { fill } from '../../base/format.ts';
import { texts } from '../texts.ts';
import { Field } from './Field.tsx';

type Props = { label: string; help: string; value: string; onChange: (color: string) => void };

/** Field for the colour of a platform: any colour, or one from a set of clearly different ones. */
export function ColourField({ label, help, value, onChange }: Props) {
  return (
    <Box>
      <Field
        label={label}
        type="color"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        help={help}
        slotProps={{ htmlInput: { sx: { cursor: 'pointer', p: 0.5 } } }}
      />
      <Box sx={{ display: 'flex', gap: 2, mt: 2 }}>
        {platformColours.map((one) => (
          <ButtonBase
            key={one}
            aria-label={fill(texts.colourOf, { color: one })}
            aria-pressed={one.toLowerCase() === value.toLowerCase()}
            onClick={() => onChange(one.toLowerCase())}
            sx={{
              width: 28,
              height: 28,
              borderRadius: 1.5,
              border: 2,
              borderColor: 'surface.lineStrong',
              '&[aria-pressed=true]': { borderColor: 'text.primary' },
            }}
            style={{ backgroundColor: one }}
          />
        ))}
      </Box>
    </Box>
  );
}
