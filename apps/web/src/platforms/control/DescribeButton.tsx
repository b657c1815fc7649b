import { mdiTextBoxEditOutline } from '@mdi/js';
import { can } from '@osprey/contract';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { factsOf, type Row } from '../rows.ts';
import { useRecording } from './recording.ts';
import { texts } from './texts.ts';

/** Button that replaces "Now" while the platform is recorded; opens the dialog that describes the recording. */
export function DescribeButton({ row }: { row: Row }) {
  const actor = useActor();
  const { describe } = useRecording();
  const { platform } = row;
  const mayControl = can(actor, 'platform.control', factsOf(platform)).allowed;
  if (row.kind !== 'platform' || !platform.live || platform.mission === null || !mayControl) return null;
  return (
    <Action
      label={fill(texts.describe.label, { name: platform.name })}
      icon={mdiTextBoxEditOutline}
      side="right"
      onClick={() => describe(row)}
    />
  );
}
