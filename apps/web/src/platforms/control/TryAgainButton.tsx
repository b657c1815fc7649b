import { mdiRestart } from '@mdi/js';
import { fill } from '../../base/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { itemOf, type Row } from '../rows.ts';
import { useRecording } from './recording.ts';
import { texts } from './texts.ts';
import { WordButton } from './WordButton.tsx';

/**
 * Button for a sensor that is set aside. It has no text if the button that stops a running recording needs the space.
 */
export function TryAgainButton({ row }: { row: Row }) {
  const { tryAgain, busyIds } = useRecording();
  const { _id, name, live } = itemOf(row);
  const label = fill(texts.tryAgain.label, { name: `${row.platform.name} ${name}` });
  return (
    <WordButton label={label} hint={label} disabled={busyIds.has(_id)} onClick={() => tryAgain(row)}>
      {live ? <Icon path={mdiRestart} sx={{ fontSize: 18 }} /> : texts.tryAgain.button}
    </WordButton>
  );
}
