// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { ShownFrame } from '../onscreen/frames.ts';
import type { FrameChoice } from './overlays/frame-switches.ts';
import { createPlatformMarker } from './overlays/platform-marker.ts';
import { createSensorDrawing } from './overlays/sensor-drawing.ts';

const isShown = (element: Element | null) => (element as SVGElement | null)?.style.display === '';

describe('the marker of a platform', () => {
  const place = { x: 100.04, y: 50, stale: false, recordTimeUs: 7 };
  function made(type: string, name = 'OSP-21') {
    const marker = createPlatformMarker({ type, name });
    const [pointer, icon] = [...marker.element.querySelectorAll('path')];
    return { ...marker, pointer: pointer!, icon: icon!, disc: marker.element.querySelector('circle')! };
  }

  it('is at its place, under its name, and is hidden until it has one', () => {
    const { element, draw, hide } = made('Plane');
    expect(isShown(element)).toBe(false);

    draw({ ...place, headingDeg: 0 });
    expect([isShown(element), element.getAttribute('transform')]).toEqual([true, 'translate(100.0 50.0)']);
    expect(element.querySelector('text')!.textContent).toBe('OSP-21');
    hide();
    expect(isShown(element)).toBe(false);
  });

  it('has a long name cut in its middle, and shows the whole of it in its title', () => {
    const { element } = made('Plane', 'Night-ferry-along-the-northern-approach-17');

    expect(element.querySelector('text')!.textContent).toBe('Night-ferry-…approach-17');
    expect(element.getAttribute('aria-label')).toBe('Night-ferry-along-the-northern-approach-17');
    expect(made('Plane', 'Of four and twenty signs').element.querySelector('text')!.textContent).toBe(
      'Of four and twenty signs',
    );
  });

  it('turns with the heading; a symbol that is seen from the side stays upright next to its pointer', () => {
    const [plane, helicopter] = [made('Plane'), made('Helicopter')];
    for (const { draw } of [plane, helicopter]) draw({ ...place, headingDeg: 123.44 });

    for (const { pointer } of [plane, helicopter]) {
      expect([isShown(pointer), pointer.getAttribute('transform')]).toEqual([true, 'rotate(123.4)']);
    }
    expect(plane.icon.getAttribute('transform')).toMatch(/^rotate\(123\.4\) /);
    expect(helicopter.icon.getAttribute('transform')).not.toContain('rotate');
    expect(plane.icon.getAttribute('d')).not.toBe(helicopter.icon.getAttribute('d'));
  });

  it('points nowhere without a heading', () => {
    const { draw, pointer, icon } = made('Plane');

    draw({ ...place, headingDeg: null });

    expect(isShown(pointer)).toBe(false);
    expect(icon.getAttribute('transform')).not.toContain('rotate');
  });

  it('has the colour of its platform, and is hollow where its telemetry fell silent', () => {
    const { draw, paint, disc, pointer, icon } = made('Ship');

    paint({ ink: '#22C7E6', ground: '#000', text: '#fff' });
    draw({ ...place, headingDeg: 0, stale: true });

    expect([disc, pointer].map((part) => part.getAttribute(part === disc ? 'stroke' : 'fill'))).toEqual([
      '#22C7E6',
      '#22C7E6',
    ]);
    expect([disc.getAttribute('stroke-dasharray'), icon.getAttribute('opacity')]).toEqual(['3 3', '0.45']);
    draw({ ...place, headingDeg: 0 });
    expect([disc.getAttribute('stroke-dasharray'), icon.getAttribute('opacity')]).toEqual(['none', '1']);
  });
});

const at = (lon: number, lat: number) => ({ lon, lat });
/** One degree is ten pixels. */
const project = ({ lon, lat }: { lon: number; lat: number }) => ({ x: lon * 10, y: lat * 10 });

const plain: ShownFrame = {
  sensorId: 's',
  timeUs: 0,
  record: null,
  values: {},
  footprint: null,
  cut: null,
  platform: null,
  headingDeg: null,
  stale: false,
  targets: [],
  width: 1,
  height: 1,
};

const everything: FrameChoice = { trail: true, footprint: true, sight: true, targets: true };

function drawnBy(frame: ShownFrame) {
  const drawing = createSensorDrawing('s');
  drawing.paint({ ink: '#22C7E6', chosen: '#F5D76E' });
  return {
    draw: (layers: Partial<FrameChoice> = {}, leads = true, shown = frame) =>
      drawing.draw({ frame: shown, leads, layers: { ...everything, ...layers }, project }),
    part: (name: string) => drawing.element.querySelector(`[data-part="${name}"]`)!,
  };
}

describe('what a sensor sees', () => {
  const frame: ShownFrame = {
    ...plain,
    // Tags 23 and 24, the frame centre as the sender states it.
    values: { '23': 37.5, '24': 24.5 },
    platform: at(20, 30),
    footprint: {
      corners: [at(24, 38), at(25, 38), at(25.5, 37), at(23.5, 37)],
      centre: at(24.5, 37.5),
      source: 'corners',
    },
  };
  const parts = ['footprint', 'footprint-top', 'sight', 'frame-centre'];

  it('is the ground between the corners, its upper edge, the line of sight and the frame centre', () => {
    const { draw, part } = drawnBy(frame);

    draw();

    expect(parts.map((name) => isShown(part(name)))).toEqual([true, true, true, true]);
    expect(part('footprint').getAttribute('d')).toBe('M240.0 380.0L250.0 380.0L255.0 370.0L235.0 370.0Z');
    expect(part('footprint-top').getAttribute('d')).toBe('M240.0 380.0L250.0 380.0');
    expect(part('sight').getAttribute('d')).toBe('M200.0 300.0L245.0 375.0');
    expect(part('frame-centre').getAttribute('transform')).toBe('translate(245.0 375.0)');
    for (const name of parts) expect(part(name).getAttribute('stroke'), name).toBe('#22C7E6');
    expect(part('footprint').getAttribute('data-source')).toBe('corners');
  });

  it('is cut with a broken line where the picture shows the horizon', () => {
    const outline = [at(24, 38), at(25, 38), at(24.6, 37), at(24.4, 37)];
    const { draw, part } = drawnBy({
      ...frame,
      footprint: null,
      cut: { outline, limits: [0], centre: at(24.5, 37.2) },
    });

    draw();

    expect(part('footprint').getAttribute('d')).toBe('M240.0 380.0L250.0 380.0L246.0 370.0L244.0 370.0Z');
    expect(part('footprint').getAttribute('stroke-opacity')).toBe('0');
    expect(part('footprint-limit').getAttribute('d')).toBe('M240.0 380.0L250.0 380.0');
    expect(part('footprint-top').getAttribute('d')).toBe(
      'M250.0 380.0L246.0 370.0M246.0 370.0L244.0 370.0M244.0 370.0L240.0 380.0',
    );
    expect(part('sight').getAttribute('d')).toBe('M200.0 300.0L245.0 372.0');
    draw({}, true, frame);
    expect(isShown(part('footprint-limit'))).toBe(false);
    expect(part('footprint').getAttribute('stroke-opacity')).toBe('1');
  });

  it('is drawn broken for a sensor that does not lead', () => {
    const { draw, part } = drawnBy(frame);

    draw({}, true);
    expect(part('footprint').getAttribute('stroke-dasharray')).toBe('none');
    draw({}, false);

    expect(part('footprint').getAttribute('stroke-dasharray')).toBe('3 3');
  });

  it.each([
    ['footprint', [false, false, true, true]],
    ['sight', [true, true, false, false]],
  ])('is not drawn where its layer %s is off', (layer, shown) => {
    const { draw, part } = drawnBy(frame);

    draw({ [layer]: false });

    expect(parts.map((name) => isShown(part(name)))).toEqual(shown);
  });

  it('moves with the frame, and goes with the geometry', () => {
    const { draw, part } = drawnBy(frame);
    draw();

    draw({}, true, { ...frame, footprint: null, platform: at(21, 30) });
    expect(parts.map((name) => isShown(part(name)))).toEqual([false, false, true, true]);
    expect(part('sight').getAttribute('d')).toBe('M210.0 300.0L245.0 375.0');
    draw({}, true, plain);

    expect(parts.map((name) => isShown(part(name)))).toEqual([false, false, false, false]);
  });
});

describe('the targets of a sensor', () => {
  const box = { left: 0, top: 0, right: 1, bottom: 1 };
  const frame: ShownFrame = {
    ...plain,
    // Tags 40 and 41: what the operator keeps in view.
    values: { '40': 37.5, '41': 24.25 },
    targets: [
      { id: 1, box, colour: null, confidence: null, place: at(24, 37), path: [at(23, 36), at(24, 37)] },
      { id: 2, box, colour: null, confidence: null, place: null, path: [] },
    ],
  };

  function drawn(layers: Partial<FrameChoice>) {
    const { draw, part } = drawnBy(frame);
    draw(layers);
    return { target: part('target'), movers: part('vmti') };
  }

  it('are the one that is kept in view and each that moves, with the way it came', () => {
    const { target, movers } = drawn({});

    expect([isShown(target), target.getAttribute('transform'), target.getAttribute('stroke')]).toEqual([
      true,
      'translate(242.5 375.0)',
      '#F5D76E',
    ]);
    expect([isShown(movers), movers.getAttribute('d'), movers.getAttribute('stroke')]).toEqual([
      true,
      'M236.0 366.0h8v8h-8ZM230.0 360.0L240.0 370.0',
      '#22C7E6',
    ]);
  });

  it('are not drawn where their layer is off', () => {
    const { target, movers } = drawn({ targets: false });

    expect([isShown(target), isShown(movers)]).toEqual([false, false]);
  });
});
