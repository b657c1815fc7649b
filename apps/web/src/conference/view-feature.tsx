import type { OpenView, ViewFeature } from '../missionview/feature.ts';
import { later } from '../ui/later.tsx';
import { togetherOverlay, useTogetherGuest, useTogetherView } from './together/useTogetherView.ts';

const Viewers = later(async () => (await import('./together/Viewers.tsx')).Viewers, { optional: true });

export const conferenceFeature: ViewFeature = {
  id: 'conference',
  actions: [{ group: 'people', onPhone: true, Button: ViewersOfMission }],
  useInView: useTogether,
  activityTexts: {
    'room.create': 'Made the room',
    'room.createOwn': 'Made the room',
    'room.deleteOwn': 'Deleted the room',
    'room.expire': 'Removed the idle room',
    'room.token': 'Asked to join the room',
    'room.join': 'Joined the room',
    'room.leave': 'Left the room',
    'room.removed': 'Was removed from the room',
  },
};

function useTogether(view: OpenView) {
  useTogetherView(view);
  return { overlay: togetherOverlay, guest: useTogetherGuest() };
}

function ViewersOfMission({ view }: { view: OpenView }) {
  return view.view === 'mission' && <Viewers missionId={view.mission._id} />;
}
