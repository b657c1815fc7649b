import type { InView, OpenView, ViewFeature } from '../missionview/feature.ts';
import { OpenMission } from './open-mission.ts';
import { useAnnotationMarks } from './useAnnotationMarks.ts';
import { useAnnotationsOnVideo, useAnnotationsOverlay } from './useAnnotationsOverlay.ts';
import { DrawOnVideo } from './video/DrawOnVideo.tsx';

export const annotationsFeature: ViewFeature = {
  id: 'annotations',
  actions: [{ group: 'drawing', onPhone: true, Button: DrawInMission }],
  useInView: useAnnotationsInView,
};

/** Shows annotations on the map of both views, and on the timeline and the pictures of a mission only. */
function useAnnotationsInView(view: OpenView): InView {
  const missionId = view.view === 'mission' ? view.mission._id : null;
  return {
    overlay: useAnnotationsOverlay(missionId),
    marks: useAnnotationMarks(missionId, view.calm),
    guest: useAnnotationsOnVideo(view.calm ? missionId : null),
  };
}

function DrawInMission({ view }: { view: OpenView }) {
  return (
    view.view === 'mission' && (
      <OpenMission value={view.mission}>
        <DrawOnVideo />
      </OpenMission>
    )
  );
}
