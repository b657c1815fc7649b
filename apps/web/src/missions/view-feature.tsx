import type { Sensor } from '@osprey/contract';
import type { InView, OpenView, ViewFeature } from '../missionview/feature.ts';
import { useMapQuery } from './map-query/useMapQuery.ts';

/** Feature that queries areas drawn on the map of a mission. */
export const mapQueryFeature: ViewFeature = { id: 'mapQuery', useInView: useMapQueryInView };

const noSensors: readonly Sensor[] = [];

function useMapQueryInView(view: OpenView): InView {
  const open = view.view === 'mission' ? view : null;
  const { control, overlay, hits } = useMapQuery(open?.mission ?? null, open?.sensors ?? noSensors);
  return open === null ? {} : { mapQuery: control, overlay, hits };
}
