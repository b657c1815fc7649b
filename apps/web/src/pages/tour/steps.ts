import { texts as bookmarkTexts } from '../../bookmarks/texts.ts';
import { texts as clipTexts } from '../../clips/texts.ts';
import { texts as timelineTexts } from '../../timeline/texts.ts';
import type { texts } from './texts.ts';

export type StepId = keyof typeof texts.steps;

const named = (element: string, name: string) => `${element}[aria-label="${name}"]`;

/** Selectors of the targets, in the order of the tour. */
const targets: readonly (readonly [id: StepId, selector: string])[] = [
  ['player', 'section[data-sensor-id]'],
  ['timeline', named('section', timelineTexts.timeline)],
  ['map', '[data-map]'],
  ['telemetry', '[data-part="telemetry-panel"]'],
  ['mark', named('button', bookmarkTexts.create)],
  ['export', named('button', clipTexts.title)],
  ['find', 'nav a[href="/find"]'],
];

export type Target = { id: StepId; element: Element | null };

/**
 * Returns the steps whose targets are on screen now. The current step is always included, even if its target has
 * disappeared.
 */
export function targetsNow(shown: StepId | null): Target[] {
  const found = targets.map(([id, selector]) => ({ id, element: visible(selector) }));
  return found.filter(({ id, element }) => element !== null || id === shown);
}

// Without layout, as in jsdom, everything in the document counts as visible.
const visible = (selector: string) =>
  [...document.querySelectorAll(selector)].find((element) => element.checkVisibility?.() ?? true) ?? null;
