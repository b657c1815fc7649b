import type { ReactNode } from 'react';
import type { OpenView, ViewFeature } from '../missionview/feature.ts';
import { FoundPlaying } from './play/FoundPlaying.tsx';
import { useLastSeenOverlay } from './useLastSeenOverlay.ts';

export const coverageFeature: ViewFeature = {
  id: 'coverage',
  useInView: ({ view }) => ({ underlay: useLastSeenOverlay(view === 'mission' ? 'clock' : 'now') }),
  Around: FoundInMission,
  activityTexts: { 'coverage.read': 'Looked for a place in the recordings' },
};

function FoundInMission({ view, children }: { view: OpenView; children: ReactNode }) {
  if (view.view === 'live') return children;
  return <FoundPlaying missionId={view.mission._id}>{children}</FoundPlaying>;
}
