import type { OpenView, ViewFeature } from '../missionview/feature.ts';
import { SpanToCase } from './add/SpanToCase.tsx';

export const casesFeature: ViewFeature = {
  id: 'cases',
  actions: [{ group: 'span', Button: SpanOfMission }],
};

function SpanOfMission({ view }: { view: OpenView }) {
  return view.view === 'mission' && <SpanToCase mission={view.mission} sensors={view.sensors} />;
}
