import { Box, Checkbox, Menu, MenuItem, Radio } from '@mui/material';
import type { ReactNode } from 'react';
import type { OverlayState } from './overlay-host.ts';
import { texts } from './texts.ts';

type Props = {
  anchor: HTMLElement | null;
  state: OverlayState;
  onToggle: (id: string) => void;
  onValue: (id: string, value: number) => void;
  onClose: () => void;
};

/** Menu of the overlays that are shown, and their settings. The choices are stored in this browser. */
export function LayersMenu({ anchor, state: { switches, settings }, onToggle, onValue, onClose }: Props) {
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose} aria-label={texts.layersTitle}>
      {switches.map(({ id, title, group, credit, shown }, index) => [
        group !== '' && group !== switches[index - 1]?.group && <Heading key={group}>{group}</Heading>,
        <LayerItem key={id} title={title} note={credit} checked={shown} onToggle={() => onToggle(id)} />,
      ])}
      {settings.map(({ id, title, choices, value: chosen }) => [
        <Heading key={id}>{title}</Heading>,
        choices.map(({ value, text, label }) => (
          <MenuItem
            key={`${id} ${value}`}
            role="menuitemradio"
            aria-checked={value === chosen}
            aria-label={label}
            onClick={() => onValue(id, value)}
            // Places all choices on one line.
            sx={{ display: 'inline-flex', gap: 1 }}
          >
            <Radio
              size="small"
              checked={value === chosen}
              tabIndex={-1}
              disableRipple
              slotProps={{ input: { 'aria-hidden': true } }}
            />
            {text}
          </MenuItem>
        )),
      ])}
    </Menu>
  );
}

const Heading = ({ children }: { children: ReactNode }) => (
  <Box component="li" role="none" sx={{ px: 3, pt: 1.5, color: 'text.secondary', fontSize: 11 }}>
    {children}
  </Box>
);

type ItemProps = { title: string; note: string | undefined; checked: boolean; onToggle: () => void };

function LayerItem({ title, note = '', checked, onToggle }: ItemProps) {
  return (
    <MenuItem role="menuitemcheckbox" aria-checked={checked} onClick={onToggle} sx={{ gap: 1, maxWidth: 420 }}>
      <Checkbox checked={checked} tabIndex={-1} disableRipple slotProps={{ input: { 'aria-hidden': true } }} />
      <Box sx={{ minWidth: 0, whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {title}
        {note !== '' && <Box sx={{ color: 'text.secondary', fontSize: 11 }}>{note}</Box>}
      </Box>
    </MenuItem>
  );
}
