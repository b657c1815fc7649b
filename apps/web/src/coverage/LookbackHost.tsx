import { useEffect, useState, useSyncExternalStore } from 'react';
import { askedPlace } from '../onscreen/target-place.ts';
import { later } from '../ui/later.tsx';

const LookbackOffer = later(async () => (await import('./LookbackOffer.tsx')).LookbackOffer);

/** Waits until a map is asked about a place: nothing of looking back is fetched before. */
export function LookbackHost() {
  const asked = useSyncExternalStore(askedPlace.subscribe, askedPlace.get);
  const [wasAsked, setWasAsked] = useState(false);
  useEffect(() => {
    if (asked !== null) setWasAsked(true);
  }, [asked]);
  return wasAsked ? <LookbackOffer /> : null;
}
