import type { Rewindable } from './dvr-playlist.ts';

type Known = { source: string; shift: number; breaksShift: number; lastN: number; lastBreaks: number };

/**
 * Numbers of what can be rewound, so that they only grow for a player that stays while a recording begins or ends:
 * then another list begins, with the number after the last one that was told.
 */
export function numbering() {
  const sensors = new Map<string, Known>();
  return (sensorId: string, list: Rewindable): Rewindable => {
    const known = sensors.get(sensorId);
    // Nothing has a number yet: the ring has just forgotten, or the recording has just begun.
    if (list.segments.length === 0)
      return known ? { ...list, firstN: known.lastN + 1, breaks: known.lastBreaks } : list;
    const before = known ?? { ...list, shift: 0, breaksShift: 0, lastN: -1, lastBreaks: -1 };
    const isSame = before.source === list.source;
    const shift = isSame ? before.shift : before.lastN + 1 - list.firstN;
    const breaksShift = isSame ? before.breaksShift : before.lastBreaks + 1 - list.breaks;
    const numbered = { ...list, firstN: list.firstN + shift, breaks: list.breaks + breaksShift };
    const broken = list.segments.slice(1).filter(({ discontinuity }) => discontinuity).length;
    sensors.set(sensorId, {
      source: list.source,
      shift,
      breaksShift,
      lastN: Math.max(before.lastN, numbered.firstN + list.segments.length - 1),
      lastBreaks: Math.max(before.lastBreaks, numbered.breaks + broken),
    });
    return numbered;
  };
}
