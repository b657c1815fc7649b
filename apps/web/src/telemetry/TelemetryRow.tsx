import { mdiContentCopy, mdiHexadecimal, mdiPin, mdiPinOutline } from '@mdi/js';
import { Box } from '@mui/material';
import { memo, useEffect, useRef } from 'react';
import { fill } from '../base/format.ts';
import { TOUCH_SCREEN } from '../base/sizes.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';
import { nameOf } from './values.ts';

type Nodes = { value: HTMLElement; unit: HTMLElement; age: HTMLElement };

type Props = {
  tag: string;
  numbers: boolean;
  pinned: boolean;
  register: (tag: string, nodes: Nodes | null) => void;
  onPin: (tag: string) => void;
  onCopy: (tag: string) => void;
  onBytes: (tag: string) => void;
};

const shown = { opacity: 1, pointerEvents: 'auto' } as const;

const tiny = { width: 20, height: 20, '& svg': { fontSize: 13 } } as const;

/** Row of one item: name, value, unit, age. Its texts are updated from outside with each frame. */
function Row({ tag, numbers, pinned, register, onPin, onCopy, onBytes }: Props) {
  const value = useRef<HTMLSpanElement>(null);
  const unit = useRef<HTMLSpanElement>(null);
  const age = useRef<HTMLSpanElement>(null);
  const name = nameOf(tag, 'full');

  useEffect(() => {
    if (value.current && unit.current && age.current) {
      register(tag, { value: value.current, unit: unit.current, age: age.current });
    }
    return () => register(tag, null);
  }, [tag, register]);

  return (
    <Box
      data-tag={tag}
      // Focusable, so that a tap on the row shows its buttons and only the next tap can press one of them.
      tabIndex={-1}
      sx={{
        position: 'relative',
        display: 'flex',
        alignItems: 'baseline',
        gap: 1.5,
        minHeight: 20,
        [TOUCH_SCREEN]: { lineHeight: '32px' },
        '& .actions': {
          position: 'absolute',
          right: 0,
          top: 0,
          display: 'flex',
          opacity: 0,
          // Hidden buttons take no pointer events; a tap would otherwise unpin the value.
          pointerEvents: 'none',
          // On a touch screen the buttons are higher than a row, so they overlap the next one.
          zIndex: 1,
          bgcolor: 'surface.raised',
          borderRadius: 1,
        },
        '&:focus-within .actions': shown,
        // Only on devices that hover, since touch browsers report hovering for the tapped element.
        '@media (hover: hover)': { '&:hover .actions': shown },
      }}
    >
      {numbers && (
        <Box component="dt" sx={{ width: 22, flex: 'none', color: 'text.disabled' }}>
          {tag}
        </Box>
      )}
      <Box
        component="dt"
        title={fill(texts.nameWithTag, { name, tag })}
        sx={{
          color: 'text.secondary',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
          flex: '1 1 90px',
        }}
      >
        {nameOf(tag, 'short')}
      </Box>
      <Box
        component="dd"
        sx={{
          m: 0,
          textAlign: 'right',
          whiteSpace: 'nowrap',
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          // The name is shortened first, since a truncated coordinate would be useless.
          flexShrink: numbers ? 0 : 1,
          maxWidth: numbers ? 'calc(100% - 48px)' : '72%',
        }}
      >
        <Box
          component="span"
          ref={age}
          data-part="age"
          sx={{ mr: 1, color: 'text.secondary', fontSize: 11, '&[data-old]': { color: 'warning.main' } }}
        />
        <Box component="span" ref={value} data-part="value" sx={{ fontWeight: 600 }} />{' '}
        <Box component="span" ref={unit} sx={{ color: 'text.secondary' }} />
      </Box>
      <Box component="dd" className="actions" sx={{ m: 0 }}>
        {/* Reached by arrow keys: 3 stops of Tab for each of some 40 items would be a wall. */}
        <Action
          tabIndex={-1}
          label={fill(pinned ? texts.unpin : texts.pin, { name })}
          icon={pinned ? mdiPin : mdiPinOutline}
          onClick={() => onPin(tag)}
          sx={tiny}
        />
        <Action
          tabIndex={-1}
          label={fill(texts.copy, { name })}
          icon={mdiContentCopy}
          onClick={() => onCopy(tag)}
          sx={tiny}
        />
        <Action
          tabIndex={-1}
          label={fill(texts.bytesOfItem, { name })}
          icon={mdiHexadecimal}
          onClick={() => onBytes(tag)}
          sx={tiny}
        />
      </Box>
    </Box>
  );
}

export const TelemetryRow = memo(Row);
