import { can } from '@osprey/contract';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { factsOf, itemOf, type Row } from '../rows.ts';
import { useRecording } from './recording.ts';
import { texts } from './texts.ts';
import { WordButton } from './WordButton.tsx';

/**
 * Button next to Record, if that one would open a dialog: starts recording immediately. Only for users who may control
 * the platform.
 */
export function RecordNowButton({ row }: { row: Row }) {
  const actor = useActor();
  const { recordNow, busyIds } = useRecording();
  const { _id, name } = itemOf(row);
  const fullName = row.kind === 'sensor' ? `${row.platform.name} ${name}` : name;
  if (row.platform.live || !can(actor, 'platform.control', factsOf(row.platform)).allowed) return null;
  return (
    <WordButton
      label={fill(texts.now.label, { name: fullName })}
      hint={fill(texts.now.hint, { name: fullName })}
      disabled={busyIds.has(_id)}
      onClick={() => recordNow(row)}
    >
      {texts.now.button}
    </WordButton>
  );
}
