import type { MapMouseEvent } from 'maplibre-gl';
import type { OverlayDeps, RunningOverlay } from '../../map/overlay.ts';
import { projectorOf } from '../../map/projector.ts';
import { pointerMarks } from './pointer-mark.ts';
import { openMap, ownPointer, pointers } from './shared.ts';

/** Registers the map of the view for leading and following, and draws the pointers of other users. */
export function startOnMap({ map, svg }: Pick<OverlayDeps, 'map' | 'svg'>): RunningOverlay {
  const marks = pointerMarks(svg);
  const draw = () => {
    const project = projectorOf(map);
    marks.draw(
      pointers.get().flatMap(({ by, at }) => {
        if (at.on !== 'map') return [];
        const { x, y } = project(at);
        return [{ by, x, y }];
      }),
    );
  };
  const onMove = ({ lngLat }: MapMouseEvent) => {
    const { lng, lat } = lngLat.wrap();
    ownPointer.get()?.({ on: 'map', lon: Number(lng.toFixed(6)), lat: Number(lat.toFixed(6)) });
  };
  const onOut = () => ownPointer.get()?.(null);
  map.on('mousemove', onMove);
  map.on('mouseout', onOut);
  map.on('move', draw);
  const unsubscribe = pointers.subscribe(draw);
  openMap.set(map);
  draw();
  return {
    show: () => undefined,
    paint: () => undefined,
    stop() {
      if (openMap.get() === map) openMap.set(null);
      map.off('mousemove', onMove);
      map.off('mouseout', onOut);
      map.off('move', draw);
      unsubscribe();
      marks.stop();
    },
  };
}
