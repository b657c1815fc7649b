import { mdiChevronDown, mdiChevronUp } from '@mdi/js';
import { Box, Button, Collapse } from '@mui/material';
import { type Classification, classifications } from '@osprey/contract';
import { useId, useState } from 'react';
import { LabelField } from '../ui/fields/LabelField.tsx';
import { Icon } from '../ui/Icon.tsx';
import { texts } from './texts.ts';

const words = texts.login.ceiling;
/** All labels except the highest, which would limit nothing. */
const labels = classifications.slice(0, -1);

type Props = { value: Classification | null; onChange: (ceiling: Classification | null) => void };

/** Field for the highest label that the session may see. It is collapsed at first, since few users need it. */
export function CeilingChoice({ value, onChange }: Props) {
  const [open, setOpen] = useState(value !== null);
  const id = useId();
  return (
    <div>
      <Button
        variant="text"
        size="small"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          // Collapsing resets the choice, since a hidden choice would limit the session unnoticed.
          if (open) onChange(null);
          setOpen(!open);
        }}
        endIcon={<Icon path={open ? mdiChevronUp : mdiChevronDown} />}
        sx={{ ml: -2, color: 'text.secondary', fontWeight: 400 }}
      >
        {words.open}
      </Button>
      <Collapse in={open} id={id} mountOnEnter unmountOnExit>
        <Box sx={{ pt: 2 }}>
          <LabelField<Classification | ''>
            label={words.label}
            value={value ?? ''}
            labels={labels}
            none={words.none}
            help={words.help}
            onChange={(label) => onChange(label === '' ? null : label)}
          />
        </Box>
      </Collapse>
    </div>
  );
}
