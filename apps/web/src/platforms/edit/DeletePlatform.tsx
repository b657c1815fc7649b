import { Typography } from '@mui/material';
import { deletePlatform, type LivePlatform } from '@osprey/contract';
import { useApi } from '../../api/api.ts';
import { fill, namesText } from '../../base/format.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../../ui/dialog/useDelete.ts';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useRecordedLabel } from '../useRecordedLabel.ts';
import { texts } from './texts.ts';

const words = texts.removal;

function affected({ name, sensors }: LivePlatform): string {
  if (sensors.length === 0) return fill(words.textNone, { name });
  return fill(sensors.length === 1 ? words.textOne : words.text, {
    name,
    sensors: sensors.length,
    names: namesText(sensors),
  });
}

/** Dialog that asks for confirmation before a platform is deleted; lists what is deleted with it and what is kept. */
export function DeletePlatform({ platform, onClose }: { platform: LivePlatform; onClose: () => void }) {
  const api = useApi();
  const label = useRecordedLabel(platform);
  const { _id, name, live, missionName } = platform;

  const { busy, confirm } = useDelete({
    queryKey: ['platforms'],
    async remove() {
      await api.call(deletePlatform, { params: { id: _id } });
      return { said: fill(words.done, { name }) };
    },
    failed: (text) => fill(words.failed, { name, text }),
    onClose,
  });

  return (
    <ConfirmDialog
      title={fill(words.title, { name })}
      mark={<ShownMark label={label} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <Typography>{affected(platform)}</Typography>
      {live && <Typography sx={{ mt: 2 }}>{fill(words.recording, { mission: missionName })}</Typography>}
      <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
        {words.kept}
      </Typography>
    </ConfirmDialog>
  );
}
