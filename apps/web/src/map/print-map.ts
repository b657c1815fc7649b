import type { Map as MapLibreMap } from 'maplibre-gl';

/**
 * Makes it possible to print a map. The pixels of its canvas are cleared once they are on screen, so a copy of them is
 * placed over it while the page is printed.
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
    // Redraw synchronously: the pixels are kept until the end of this task, so they can be copied.
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
