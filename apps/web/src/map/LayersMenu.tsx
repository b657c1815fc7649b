import { Box, Checkbox, Menu, MenuItem, Radio } from '@mui/material';
import type { ReactNode } from 'react';
import { fill } from '../base/format.ts';
import { LAYERS, type Layer, type LayerChoice, type MapSettings, TRAIL_SECONDS } from './map-storage.ts';
import { isDataLayer } from './overlays/data-layer-names.ts';
import type { SiteLayerChoice } from './overlays/useSiteLayers.ts';
import { texts } from './texts.ts';

type Props = {
  anchor: HTMLElement | null;
  layers: LayerChoice;
  recorded: boolean;
  /** Tile sets of this site. */
  site: SiteLayerChoice;
  onToggle: (layer: Layer) => void;
  trailSeconds: MapSettings['trailSeconds'];
  onTrail: (seconds: MapSettings['trailSeconds']) => void;
  onClose: () => void;
};

const trailText = (seconds: number) =>
  seconds < 60 ? fill(texts.trailSeconds, { seconds }) : fill(texts.trailMinutes, { minutes: seconds / 60 });

/** Which layers are drawn; the choice is kept in this browser. */
export function LayersMenu({ anchor, layers, recorded, site, onToggle, trailSeconds, onTrail, onClose }: Props) {
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose} aria-label={texts.layersTitle}>
      {LAYERS.filter((layer) => recorded || !isDataLayer(layer)).map((layer) => (
        <LayerItem key={layer} title={texts.layers[layer]} checked={layers[layer]} onToggle={() => onToggle(layer)} />
      ))}
      {site.layers.length > 0 && <Heading>{texts.siteLayers}</Heading>}
      {site.layers.map(({ _id, title, attribution }) => (
        <LayerItem
          key={_id}
          title={title}
          note={attribution}
          checked={site.shown.some((one) => one._id === _id)}
          onToggle={() => site.toggle(_id)}
        />
      ))}
      <Heading>{texts.trailLength}</Heading>
      {TRAIL_SECONDS.map((seconds) => (
        <MenuItem
          key={seconds}
          role="menuitemradio"
          aria-checked={seconds === trailSeconds}
          aria-label={fill(texts.trailOf, { length: trailText(seconds) })}
          onClick={() => onTrail(seconds)}
          // All on one line.
          sx={{ display: 'inline-flex', gap: 1 }}
        >
          <Radio
            size="small"
            checked={seconds === trailSeconds}
            tabIndex={-1}
            disableRipple
            slotProps={{ input: { 'aria-hidden': true } }}
          />
          {trailText(seconds)}
        </MenuItem>
      ))}
    </Menu>
  );
}

const Heading = ({ children }: { children: ReactNode }) => (
  <Box component="li" role="none" sx={{ px: 3, pt: 1.5, color: 'text.secondary', fontSize: 11 }}>
    {children}
  </Box>
);

type ItemProps = { title: string; note?: string; checked: boolean; onToggle: () => void };

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
