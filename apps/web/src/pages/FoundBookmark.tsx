import type { FoundSpan } from '@osprey/contract';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';

const BookmarkDialog = laterDialog(async () => (await import('../bookmarks/BookmarkDialog.tsx')).BookmarkDialog);

type Props = { span: FoundSpan; onClose: () => void };

/** Bookmarks the first picture of a found span, without its mission being open. */
export function FoundBookmark({ span, onClose }: Props) {
  const { missionId, sensorId, sensor, first, securityClassification, marked } = span;
  return (
    <BookmarkDialog
      mission={{ _id: missionId, securityClassification, marked }}
      editing={{ frame: { missionId, sensorId, timeUs: first }, sensorName: sensor }}
      onClose={onClose}
    />
  );
}
