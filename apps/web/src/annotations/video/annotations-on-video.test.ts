// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { emptyFrame, type ShownFrame } from '../../onscreen/frames.ts';
import { fakeApi, newId } from '../../testing/fake-api.ts';
import { annotationsOnVideo } from './annotations-on-video.ts';
import { videoDrawing } from './drawing.ts';

const mission = newId();
const START = 1_000_000_000;

/** Returns a picture of 100 by 100 px whose ground is 0.1 degrees wide and high, with north at the top. */
const framed = (timeUs: number): ShownFrame => {
  const corner = (lon: number, lat: number) => ({ lon, lat });
  const corners = [corner(24, 37.1), corner(24.1, 37.1), corner(24.1, 37), corner(24, 37)] as const;
  return {
    ...emptyFrame('eo', timeUs),
    footprint: { corners, centre: corner(24.05, 37.05) } as unknown as ShownFrame['footprint'],
  };
};

function started(timed: { startTime: number | null; endTime: number | null }) {
  const line = {
    type: 'Feature',
    properties: { featureTitle: 'Lane', stroke: '#123456' },
    geometry: {
      type: 'LineString',
      coordinates: [
        [24.02, 37.05],
        [24.08, 37.05],
      ],
    },
  };
  const row = {
    ...{ _id: newId(), title: 'Lane', description: '', author: 'ana', securityClassification: 'UNCLASSIFIED' },
    ...{ marked: true, missionId: mission, simplified: false, features: [line], ...timed },
  };
  const { api } = fakeApi({ 'GET /annotations': () => [row] });
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  document.body.append(svg);
  const guest = annotationsOnVideo({ api, queries: new QueryClient(), missionId: mission });
  const running = guest.start({ svg, sensorId: 'eo', rect: () => ({ left: 0, top: 0, width: 100, height: 100 }) });
  // Keys act on the whole window, which other tests share, so drawing is ended here.
  onTestFinished(() => {
    videoDrawing.end();
    running.stop();
  });
  const drawn = () => [...svg.querySelectorAll('[data-part=annotations] path')].map((path) => path.getAttribute('d'));
  const press = (x: number, y: number) =>
    svg.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, clientX: x, clientY: y, button: 0 }));
  return { svg, running, drawn, press };
}

beforeEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
  videoDrawing.end();
});

it('draws annotations on the ground of the frame, in step with it, and only inside the time span', async () => {
  const { running, drawn, svg } = started({ startTime: START, endTime: START + 1000 });
  running.draw(framed(START));
  await expect.poll(drawn).toHaveLength(1);
  const [first] = drawn();
  const [x, y] = first!.slice(1).split('L')[0]!.split(' ').map(Number);
  expect(x).toBeCloseTo(20, 0);
  expect(y).toBeCloseTo(50, 0);
  expect(svg.textContent).toBe('Lane');

  running.draw(framed(START + 2000));
  expect(drawn()).toEqual([]);
  running.draw(framed(START + 500));
  expect(drawn()).toHaveLength(1);
  running.draw(emptyFrame('eo', START + 500));
  expect(drawn()).toEqual([]);
  running.stop();
  expect(svg.childElementCount).toBe(0);
});

it('takes points through the frame to the ground with the moment of the frame; Enter ends, Escape cancels', () => {
  const { running, press, svg } = started({ startTime: null, endTime: null });
  running.draw(framed(START));
  press(10, 10);
  expect(videoDrawing.get()).toMatchObject({ tool: null, done: null });

  videoDrawing.begin('line');
  expect(svg.style.pointerEvents).toBe('auto');
  press(10, 50);
  press(90, 50);
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  const { done } = videoDrawing.get();
  expect(done).toMatchObject({ sensorId: 'eo', timeUs: START });
  const [[lon, lat] = []] = (done!.feature.geometry as { coordinates: number[][] }).coordinates;
  expect(lon).toBeCloseTo(24.01, 3);
  expect(lat).toBeCloseTo(37.05, 3);

  videoDrawing.begin('polygon');
  press(10, 10);
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  expect(videoDrawing.get()).toMatchObject({ tool: null, done: null });
});

it('says of a frame without geometry that nothing drawn on it has a place', () => {
  const { running, press } = started({ startTime: null, endTime: null });
  running.draw(emptyFrame('eo', START));
  videoDrawing.begin('point');
  press(10, 10);
  expect(videoDrawing.get()).toMatchObject({ tool: 'point', noGround: true, done: null });
});
