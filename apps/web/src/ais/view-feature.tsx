import { useMemo } from 'react';
import { useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import type { InView, OpenView, ViewFeature } from '../missionview/feature.ts';
import { later } from '../ui/later.tsx';
import { useShipCount } from './video/in-frame-now.ts';
import { ShipsInFrameAction } from './video/ShipsInFrameAction.tsx';
import { texts } from './video/texts.ts';
import { useInFrameSpans } from './video/useInFrameSpans.ts';
import { useShipsOnVideo } from './video/useShipsOnVideo.ts';

const ShipFilter = later(async () => (await import('./ShipFilter.tsx')).ShipFilter, { optional: true });
const ShipsInFrame = later(async () => (await import('./video/ShipsInFrame.tsx')).ShipsInFrame);

export const aisFeature: ViewFeature = {
  id: 'ais',
  actions: [
    { group: 'marks', Button: ShipsOfView },
    { group: 'drawing', onPhone: true, Button: ShipFilter },
  ],
  useInView: useShipsInView,
  activityTexts: {
    'ais.read': 'Viewed AIS data',
    'ais.export': 'Exported positions of ships',
    'ais.delete': 'Deleted positions of ships',
  },
};

/** Whether the pictures of a view can show ships: those of a recording or of a leading live stream. */
const hasPictures = (view: OpenView) => view.view === 'mission' || view.stream !== null;

function useShipsInView(view: OpenView): InView {
  const { sensors } = view;
  const isOffered = useSession().info?.useAis === true && hasPictures(view);
  const count = useShipCount();
  const phoneTab = useMemo(
    () =>
      isOffered
        ? {
            id: 'ships',
            label: count === 0 ? texts.tab : fill(texts.tabCount, { count }),
            content: <ShipsInFrame sensors={sensors} />,
          }
        : null,
    [isOffered, count, sensors],
  );
  return {
    spans: useInFrameSpans(view.view === 'mission' ? view.mission._id : null, view.calm),
    guest: useShipsOnVideo(view.calm),
    phoneTab,
  };
}

/** Shown to all users who may watch the view. */
function ShipsOfView({ view }: { view: OpenView }) {
  return hasPictures(view) && <ShipsInFrameAction sensors={view.sensors} />;
}
