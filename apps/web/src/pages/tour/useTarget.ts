import { useLayoutEffect, useState } from 'react';
import { type Box, type Place, placeNextTo } from './place.ts';
import { type StepId, targetsNow } from './steps.ts';

type Seen = { ids: readonly StepId[]; target: Box | null; place: Place };

/**
 * Interval at which the target is checked, in milliseconds, since panels can be moved, closed and opened during the
 * tour.
 */
const CHECK_MS = 200;

/**
 * Returns the steps that currently have a target, the position of the target of step `id`, and that of the card next to
 * it.
 */
export function useTarget(id: StepId | null, card: HTMLElement | null): Seen | null {
  const [seen, setSeen] = useState<Seen | null>(null);
  useLayoutEffect(() => {
    const update = () => {
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
    update();
    const timer = setInterval(update, CHECK_MS);
    addEventListener('resize', update);
    return () => {
      clearInterval(timer);
      removeEventListener('resize', update);
    };
  }, [id, card]);
  return seen;
}

function boxOf(element: Element): Box {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}
