import { useEffect, useState, useSyncExternalStore } from 'react';
import { askedPlace } from '../onscreen/target-place.ts';
import { later } from '../ui/later.tsx';

const LookbackOffer = later(async () => (await import('./LookbackOffer.tsx')).LookbackOffer);

/** Waits until a place on a map is queried; before that, no code for looking back is loaded. */
export function LookbackHost() {
  const asked = useSyncExternalStore(askedPlace.subscribe, askedPlace.get);
  const [wasAsked, setWasAsked] = useState(false);
  useEffect(() => {
    if (asked !== null) setWasAsked(true);
  }, [asked]);
  return wasAsked ? <LookbackOffer /> : null;
}
