import { MenuItem } from '@mui/material';
import type { Point } from '@osprey/geo';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { askedPlace, targetPlace } from '../onscreen/target-place.ts';
import { Menu } from '../ui/Floating.tsx';
import { later } from '../ui/later.tsx';
import { texts } from './texts.ts';

const LookbackPanel = later(async () => (await import('./LookbackPanel.tsx')).LookbackPanel);

/** Shows the offer to look back when a place on any map is queried, and then the results. */
export function LookbackOffer() {
  const asked = useSyncExternalStore(askedPlace.subscribe, askedPlace.get);
  const [place, setPlace] = useState<Point | null>(null);
  useEffect(() => () => targetPlace.set(null), []);

  const close = () => askedPlace.set(null);
  return (
    <>
      <Menu
        open={asked !== null}
        onClose={close}
        anchorReference="anchorPosition"
        anchorPosition={{ left: asked?.x ?? 0, top: asked?.y ?? 0 }}
      >
        <MenuItem
          onClick={() => {
            setPlace(asked?.place ?? null);
            targetPlace.set(asked?.place ?? null);
            close();
          }}
        >
          {texts.ask}
        </MenuItem>
      </Menu>
      {place && (
        <LookbackPanel
          key={`${place.lon},${place.lat}`}
          place={place}
          onClose={() => {
            setPlace(null);
            targetPlace.set(null);
          }}
        />
      )}
    </>
  );
}
