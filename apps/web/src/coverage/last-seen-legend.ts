import { darkPalette, lightPalette, type Scheme } from '../base/colours.ts';
import { fill, formatCount, formatTime } from '../base/format.ts';
import { hatchCss } from '../map/hatch.ts';
import { lastSeenColours } from './last-seen-colours.ts';
import { OLD, SHARES } from './last-seen-shapes.ts';
import { lastSeenTexts as texts } from './last-seen-texts.ts';
import { lastSeenTitles } from './last-seen-titles.ts';

/** Minimum size of the map in pixels for which the legend is shown; a smaller map has no room for it. */
const MAP_MIN_PX = { width: 280, height: 200 };
/**
 * Width of the map in pixels below which the legend shows only the first class and unseen ground, next to each other.
 */
const NARROW = 480;

/** Number of the line for ground that was seen only approximately; it is shown if there is some. */
const APPROXIMATE = OLD + 1;

/** Creates the legend of the colours, at the lower left of the map. */
export function createLastSeenLegend() {
  const element = document.createElement('div');
  element.dataset.part = 'last-seen-legend';
  element.setAttribute('role', 'note');
  element.setAttribute('aria-label', texts.legend);
  Object.assign(element.style, {
    ...{ position: 'absolute', left: '8px', bottom: '48px', zIndex: '1', pointerEvents: 'none', display: 'none' },
    ...{
      padding: '8px 12px',
      borderRadius: '8px',
      borderWidth: '1px',
      borderStyle: 'solid',
      maxWidth: 'calc(100% - 16px)',
    },
    ...{ fontSize: '12px', lineHeight: '18px', fontVariantNumeric: 'tabular-nums' },
  });
  const heading = document.createElement('div');
  heading.style.fontWeight = '600';
  const moment = document.createElement('div');
  const lines = Array.from({ length: OLD + 2 }, (_, age) => {
    const line = document.createElement('div');
    Object.assign(line.style, { display: 'flex', alignItems: 'center', gap: '8px' });
    const swatch = document.createElement('span');
    Object.assign(swatch.style, { width: '16px', height: '12px', borderRadius: '2px', flex: 'none' });
    swatch.style.boxSizing = 'border-box';
    const name = document.createElement('span');
    line.append(swatch, name);
    return { age, line, swatch, name };
  });
  const notes = document.createElement('div');
  const classes = document.createElement('div');
  classes.append(...lines.map(({ line }) => line));
  element.append(heading, moment, classes, notes);
  heading.textContent = texts.title;
  let isShown = false;
  let isLarge = false;

  function place() {
    element.style.display = isShown && isLarge ? '' : 'none';
  }

  return {
    element,
    show(shown: boolean) {
      isShown = shown;
      place();
    },
    /** Called with the map element when its size has changed. */
    fit({ clientWidth, clientHeight }: { clientWidth: number; clientHeight: number }) {
      isLarge = clientWidth >= MAP_MIN_PX.width && clientHeight >= MAP_MIN_PX.height;
      const isNarrow = clientWidth < NARROW;
      Object.assign(element.style, {
        padding: isNarrow ? '4px 8px' : '8px 12px',
        fontSize: isNarrow ? '11px' : '12px',
      });
      Object.assign(classes.style, { display: isNarrow ? 'flex' : 'block', alignItems: 'center', gap: '3px' });
      heading.style.display = isNarrow ? 'none' : '';
      for (const { age, name } of lines) name.style.display = isNarrow && age > 0 && age < OLD ? 'none' : '';
      lines[0]!.line.style.flexDirection = isNarrow ? 'row-reverse' : 'row';
      for (const { line, swatch } of lines) {
        Object.assign(line.style, { gap: isNarrow ? '4px' : '8px', whiteSpace: isNarrow ? 'nowrap' : 'normal' });
        swatch.style.width = isNarrow ? '12px' : '16px';
      }
      place();
    },
    /** Shows the drawn state: its time (null for the present), and how many recordings may be missing. */
    report(state: {
      hours: number;
      atUs: number | null;
      isEmpty: boolean;
      isApproximate: boolean;
      notIndexed: number;
    }) {
      const { hours, atUs, isEmpty, isApproximate, notIndexed } = state;
      lines[APPROXIMATE]!.line.style.display = isApproximate ? 'flex' : 'none';
      moment.textContent = atUs === null ? '' : fill(texts.at, { time: formatTime(atUs) });
      for (const { age, name } of lines) name.textContent = nameOf(age, hours);
      notes.textContent = [
        isEmpty ? texts.nothing : '',
        notIndexed > 0 ? `${formatCount(notIndexed, texts.notIndexed)}.` : '',
      ]
        .filter((text) => text !== '')
        .join(' ');
    },
    paint(scheme: Scheme) {
      const { surface, text } = scheme === 'dark' ? darkPalette : lightPalette;
      Object.assign(element.style, { color: text.primary, background: surface.panel, borderColor: surface.line });
      moment.style.color = text.secondary;
      notes.style.color = text.secondary;
      const { ages, old, hatch } = lastSeenColours[scheme];
      for (const { age, swatch } of lines) {
        if (age === APPROXIMATE)
          Object.assign(swatch.style, { background: hatchCss(hatch), border: `1px solid ${hatch}` });
        else if (age === OLD) swatch.style.border = `2px solid ${old}`;
        else swatch.style.background = ages[age] ?? '';
      }
    },
  };
}

function nameOf(age: number, hours: number): string {
  if (age === APPROXIMATE) return texts.approximate;
  if (age === OLD) return lastSeenTitles.notSeen(hours);
  const to = spanText(SHARES[age]! * hours);
  return age === 0 ? fill(texts.under, { to }) : fill(texts.between, { from: spanText(SHARES[age - 1]! * hours), to });
}

function spanText(hours: number): string {
  if (hours < 2 && !Number.isInteger(hours)) return fill(texts.minutes, { minutes: Math.round(hours * 60) });
  if (hours >= 48 && hours % 24 === 0) return fill(texts.days, { days: hours / 24 });
  return fill(texts.hours, { hours: Math.round(hours * 10) / 10 });
}
