import { type FoundSpan, revokedEvent } from '@osprey/contract';
import { useServerEvent } from '../events/events.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';

const BookmarkDialog = laterDialog(async () => (await import('../bookmarks/BookmarkDialog.tsx')).BookmarkDialog);

type Props = { span: FoundSpan; onClose: () => void };

/** Dialog that bookmarks the first picture of a found span, without opening its mission. */
export function FoundBookmark({ span, onClose }: Props) {
  const { missionId, sensorId, sensor, first, securityClassification, marked } = span;
  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    // If the mission is no longer accessible, the dialog closes too.
    if (noun === 'missions' && (all === true || ids.includes(missionId))) onClose();
  });
  return (
    <BookmarkDialog
      mission={{ _id: missionId, securityClassification, marked }}
      editing={{ frame: { missionId, sensorId, timeUs: first }, sensorName: sensor }}
      onClose={onClose}
    />
  );
}
