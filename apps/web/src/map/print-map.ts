import type { Map as MapLibreMap } from 'maplibre-gl';

/**
 * Prints what the map shows: the pixels of its canvas are gone once they are on screen, so a copy of them is laid over
 * it while the page is printed.
 */
export function offerPrint(map: Pick<MapLibreMap, 'getCanvas' | 'redraw' | 'once'>): void {
  let copy: HTMLCanvasElement | null = null;
  const end = () => {
    copy?.remove();
    copy = null;
  };
  const begin = () => {
    end();
    const drawn = map.getCanvas();
    // Drawn at once: the pixels are kept up to the end of this task.
    map.redraw();
    copy = document.createElement('canvas');
    copy.width = drawn.width;
    copy.height = drawn.height;
    copy.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;object-fit:cover';
    copy.getContext('2d')?.drawImage(drawn, 0, 0);
    drawn.after(copy);
  };
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  map.once('remove', () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  });
}
