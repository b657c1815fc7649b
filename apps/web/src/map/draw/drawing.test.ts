// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { keepingMap } from '../../testing/map.ts';
import { attachDrawing } from './drawing.ts';

/** Listeners that are on the canvas of a map now. */
function watchListeners(canvas: HTMLElement) {
  const there: string[] = [];
  const [add, remove] = [canvas.addEventListener.bind(canvas), canvas.removeEventListener.bind(canvas)];
  canvas.addEventListener = (type: string, ...rest: [EventListener]) => {
    there.push(type);
    add(type, ...rest);
  };
  canvas.removeEventListener = (type: string, ...rest: [EventListener]) => {
    const at = there.indexOf(type);
    if (at >= 0) there.splice(at, 1);
    remove(type, ...rest);
  };
  return there;
}

beforeEach(() => {
  document.body.replaceChildren();
});

function attached() {
  const kept = keepingMap(document.body.appendChild(document.createElement('div')));
  // Off before the drawing, so it must be off afterwards.
  kept.map.dragRotate.disable();
  const listeners = watchListeners(kept.canvas);
  const before = kept.state();
  const [onDrawn, onPath] = [vi.fn(), vi.fn()];
  const drawing = attachDrawing({ map: kept.map, scheme: 'dark', onDrawn, onPath });
  drawing.setMode('rectangle');
  const pointer = (type: string, [x, y]: readonly [number, number], more = {}) =>
    kept.canvas.dispatchEvent(
      new PointerEvent(type, { bubbles: true, clientX: x, clientY: y, isPrimary: true, button: 0, ...more }),
    );
  return {
    ...kept,
    drawing,
    onDrawn,
    onPath,
    listeners,
    before,
    pointer,
    click: (at: readonly [number, number]) => {
      for (const type of ['pointermove', 'pointerdown', 'pointerup']) pointer(type, at);
    },
    /** A finger does not move before it touches. */
    tap: (at: readonly [number, number]) => {
      for (const type of ['pointerdown', 'pointerup']) pointer(type, at, { pointerType: 'touch' });
    },
    press(key: string) {
      const passed = vi.fn();
      document.body.addEventListener('keydown', passed, { once: true });
      for (const type of ['keydown', 'keyup'])
        kept.canvas.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }));
      document.body.removeEventListener('keydown', passed);
      return { reachesPage: passed.mock.calls.length > 0 };
    },
  };
}

const corners = (onDrawn: ReturnType<typeof vi.fn>) => onDrawn.mock.lastCall![0].coordinates[0];

it.each(['click', 'tap'] as const)('draws a rectangle by two corners: %s', (way) => {
  const { onDrawn, [way]: put } = attached();

  put([100, 100]);
  put([300, 200]);

  expect(onDrawn).toHaveBeenCalledOnce();
  for (const corner of [
    [23, 38],
    [25, 37],
  ])
    expect(corners(onDrawn)).toContainEqual(corner);
});

it('counts the first click of a hand that shakes', () => {
  const { onDrawn, click, pointer } = attached();
  const shaky = ([x, y]: readonly [number, number]) => {
    pointer('pointerdown', [x, y]);
    pointer('pointermove', [x + 3, y - 2]);
    pointer('pointerup', [x + 3, y - 2]);
  };

  shaky([100, 100]);
  click([300, 200]);

  expect(onDrawn).toHaveBeenCalledOnce();
});

it('draws a polygon until Enter', () => {
  const { onDrawn, drawing, click, press } = attached();
  drawing.setMode('polygon');

  for (const at of [
    [100, 100],
    [300, 100],
    [300, 200],
  ] as const)
    click(at);
  expect(onDrawn).not.toHaveBeenCalled();
  press('Enter');

  expect(corners(onDrawn)).toHaveLength(4);
});

it('draws no side of a polygon that would cross another', () => {
  const { onDrawn, drawing, click, press } = attached();
  drawing.setMode('polygon');

  for (const at of [
    [100, 100],
    [300, 100],
    [300, 300],
    [200, 50],
    [100, 300],
  ] as const)
    click(at);
  press('Enter');

  expect(corners(onDrawn)).toHaveLength(5);
  expect(corners(onDrawn)).not.toContainEqual([24, 38.5]);
});

it('gives outlines counter-clockwise, whichever corner was first', () => {
  const { onDrawn, click } = attached();
  const east = [25, 38];

  for (const [from, to] of [
    [
      [100, 100],
      [300, 200],
    ],
    [
      [300, 100],
      [100, 200],
    ],
  ] as const) {
    click(from);
    click(to);
    const ring: number[][] = corners(onDrawn);
    const at = ring.findIndex((corner) => String(corner) === String(east));
    expect(ring[at + 1] ?? ring[1]).toEqual([23, 38]);
  }
});

it('ends a rectangle at the pointer by Enter', () => {
  const { onDrawn, click, pointer, press } = attached();

  click([100, 100]);
  press('Enter');
  expect(onDrawn).not.toHaveBeenCalled();
  pointer('pointermove', [300, 200]);
  press('Enter');

  expect(corners(onDrawn)).toContainEqual([25, 37]);
});

it('draws a circle with its centre and radius, a line and a point', () => {
  const { onDrawn, onPath, drawing, click, press } = attached();
  drawing.setMode('circle');
  click([200, 200]);
  click([200, 300]);
  expect(onDrawn.mock.lastCall![1]).toEqual({ centre: [24, 37], radiusM: expect.closeTo(111_000, -3) });

  drawing.setMode('line');
  click([100, 100]);
  click([300, 100]);
  press('Enter');
  expect(onPath.mock.lastCall).toEqual([
    {
      type: 'LineString',
      coordinates: [
        [23, 38],
        [25, 38],
      ],
    },
  ]);
  drawing.setMode('point');
  click([200, 100]);
  expect(onPath.mock.lastCall).toEqual([{ type: 'Point', coordinates: [24, 38] }]);
  expect(onDrawn).toHaveBeenCalledOnce();
});

it('draws nothing while it rests, when two clicks zoom the map again', () => {
  const { map, onDrawn, drawing, click, state } = attached();
  expect(map.doubleClickZoom.isEnabled()).toBe(false);
  drawing.setMode('static');
  click([100, 100]);
  click([300, 200]);

  expect([onDrawn.mock.calls.length, map.doubleClickZoom.isEnabled(), state().cursor]).toEqual([0, true, '']);
});

it('cancels a shape by Esc, which then goes no further; the next goes to the page', () => {
  const { onDrawn, click, press } = attached();

  click([100, 100]);
  expect(press('Escape')).toEqual({ reachesPage: false });
  expect(press('Escape')).toEqual({ reachesPage: true });
  click([150, 150]);
  click([300, 200]);

  expect(onDrawn).toHaveBeenCalledOnce();
  expect(corners(onDrawn)).toContainEqual([23.5, 37.5]);
});

it('leaves nothing on the map: no listener, no layer, no cursor, and what it switched off is as it was', () => {
  const { before, listeners, state, layerIds, drawing, click } = attached();
  expect([listeners.length > 0, layerIds().length > 0, state().cursor]).toEqual([true, true, 'crosshair']);

  click([100, 100]);
  drawing.detach();

  expect(listeners).toEqual([]);
  expect(state()).toEqual(before);
});

it('attaches again to the same map, and shows what was drawn elsewhere', () => {
  const { map, drawing, dataOf } = attached();
  drawing.detach();

  const again = attachDrawing({ map, scheme: 'light', onDrawn: vi.fn() });
  const triangle = [
    [23, 38],
    [25, 37],
    [25, 38],
    [23, 38],
  ];
  again.show({ type: 'Polygon', coordinates: [triangle] });

  const { features } = dataOf('drawing') as { features: { geometry: { coordinates: number[][][] } }[] };
  const [ring] = features[0]!.geometry.coordinates;
  // Its slanted side has positions between its ends.
  expect(ring).toEqual(expect.arrayContaining(triangle));
  expect([ring![0], ring!.at(-1)]).toEqual([triangle[0], triangle[0]]);
});
