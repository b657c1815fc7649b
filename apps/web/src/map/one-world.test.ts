import { expect, it, vi } from 'vitest';
import { showOneWorld } from './one-world.ts';

it('is never smaller than the map is wide, whatever size that gets', () => {
  const container = { clientWidth: 1024 };
  const setMinZoom = vi.fn();
  let resize: () => void = () => undefined;
  const map = { getContainer: () => container, setMinZoom, on: (_event: string, on: () => void) => (resize = on) };
  showOneWorld(map as unknown as Parameters<typeof showOneWorld>[0]);
  container.clientWidth = 2048;
  resize();
  container.clientWidth = 64;
  resize();
  // Folded away.
  container.clientWidth = 0;
  resize();

  expect(setMinZoom.mock.calls).toEqual([[1], [2], [-2]]);
});
