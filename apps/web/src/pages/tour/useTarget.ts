import { useLayoutEffect, useState } from 'react';
import { type Box, type Place, placeNextTo } from './place.ts';
import { type StepId, targetsNow } from './steps.ts';

type Seen = { ids: readonly StepId[]; target: Box | null; place: Place };

/** Panels can be moved, closed and opened while the tour is there: often enough not to be noticed. */
const CHECK_MS = 200;

/** The steps that have a target now, the place of the target of step `id`, and where the card is next to it. */
export function useTarget(id: StepId | null, card: HTMLElement | null): Seen | null {
  const [seen, setSeen] = useState<Seen | null>(null);
  useLayoutEffect(() => {
    const look = () => {
      const now = targetsNow(id);
      const shown = now.find((one) => one.id === (id ?? now[0]?.id));
      const size = card?.getBoundingClientRect() ?? { width: 0, height: 0 };
      const target = shown?.element ? boxOf(shown.element) : null;
      setSeen((before) => {
        const place = target
          ? placeNextTo(target, size, { width: innerWidth, height: innerHeight })
          : (before?.place ?? { left: 0, top: 0 });
        const next = { ids: now.map((one) => one.id), target, place };
        return JSON.stringify(before) === JSON.stringify(next) ? before : next;
      });
    };
    look();
    const timer = setInterval(look, CHECK_MS);
    addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      removeEventListener('resize', look);
    };
  }, [id, card]);
  return seen;
}

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}
