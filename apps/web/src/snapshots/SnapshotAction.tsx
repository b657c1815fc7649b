import { mdiCameraOutline } from '@mdi/js';
import { can } from '@osprey/contract';
import { useContext } from 'react';
import { useActor } from '../api/session.ts';
import type { OpenView } from '../missionview/feature.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';

/** Button of the control bar that stores the screen as a snapshot. */
export function SnapshotAction({ view }: { view: OpenView }) {
  const commands = useContext(FeatureCommandsContext);
  const may = can(useActor(), 'document.createAny').allowed;
  if (commands === null || !may || (view.view === 'live' && view.stream === null)) return null;
  return (
    <Action
      label={texts.take}
      word={texts.takeWord}
      keys="S"
      icon={mdiCameraOutline}
      onClick={() => commands.run('snapshot')}
    />
  );
}
