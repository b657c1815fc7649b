import type { LivePlatform } from '@osprey/contract';
import { fill, formatDuration, formatNumber, formatSize, NONE, namesText } from '../../base/format.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useRecordedLabel } from '../useRecordedLabel.ts';
import { texts } from './texts.ts';

type Props = { platform: LivePlatform; onCancel: () => void; onConfirm: () => void };

const words = texts.ending;

/** Dialog that asks for confirmation before a mission with several recorded sensors ends. */
export function EndMission({ platform, onCancel, onConfirm }: Props) {
  const { name, missionName, duration, sizeBytes, sensors } = platform;
  const label = useRecordedLabel(platform);
  const recorded = sensors.filter(({ live }) => live);
  const count = formatNumber(recorded.length);
  return (
    <ConfirmDialog
      title={fill(words.title, { name })}
      mark={<ShownMark label={label} />}
      confirmText={fill(words.confirm, { count })}
      danger
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      {fill(words.text, {
        mission: missionName ?? NONE,
        count,
        sensors: namesText(recorded),
        duration: duration === null ? NONE : formatDuration(duration),
        size: sizeBytes === null ? NONE : formatSize(sizeBytes),
      })}
    </ConfirmDialog>
  );
}
