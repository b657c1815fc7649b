import { svgElement } from '../../map/overlays/svg.ts';

/**
 * Colour of pointers: visible on pictures of every kind, and different from the colours of platforms, states and
 * labels.
 */
const INK = '#FFE14D';
const HALO = '#101318';
const RADIUS = 10;

/** Creates the mark of a member's pointer: a ring with a name. */
export function pointerMark(name: string) {
  const group = svgElement('g', { 'data-pointer': name });
  const text = svgElement('text', {
    ...{ x: RADIUS + 6, y: 4, fill: INK, stroke: HALO, 'stroke-width': 3, 'paint-order': 'stroke' },
    ...{ 'font-size': 13, 'font-weight': 600 },
  });
  text.textContent = name;
  group.append(
    svgElement('circle', { r: RADIUS, fill: 'none', stroke: HALO, 'stroke-width': 5 }),
    svgElement('circle', { r: RADIUS, fill: 'none', stroke: INK, 'stroke-width': 3 }),
    svgElement('circle', { r: 2, fill: INK, stroke: HALO, 'stroke-width': 1 }),
    text,
  );
  return {
    group,
    move: (x: number, y: number) => group.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`),
  };
}

/**
 * Manages the marks of all members who are pointing: a mark is created when a member begins to point, and removed when
 * they stop.
 */
export function pointerMarks(parent: SVGElement) {
  const marks = new Map<string, ReturnType<typeof pointerMark>>();
  return {
    draw(places: readonly { by: string; x: number; y: number }[]): void {
      const named = new Set(places.map(({ by }) => by));
      for (const [by, { group }] of marks) {
        if (named.has(by)) continue;
        group.remove();
        marks.delete(by);
      }
      for (const { by, x, y } of places) {
        const mark = marks.get(by) ?? pointerMark(by);
        if (!marks.has(by)) parent.append(mark.group);
        marks.set(by, mark);
        mark.move(x, y);
      }
    },
    stop(): void {
      for (const { group } of marks.values()) group.remove();
      marks.clear();
    },
  };
}
