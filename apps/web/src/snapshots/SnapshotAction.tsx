import { mdiCameraOutline } from '@mdi/js';
import { can } from '@osprey/contract';
import { useContext } from 'react';
import { useActor } from '../api/session.ts';
import { MarkCommandsContext } from '../missionview/mark-commands.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';

/** In the control bar: keeps what is on screen as a snapshot. */
export function SnapshotAction() {
  const run = useContext(MarkCommandsContext);
  const may = can(useActor(), 'document.createAny').allowed;
  if (run === null || !may) return null;
  return <Action label={texts.take} icon={mdiCameraOutline} onClick={() => run('snapshot')} />;
}
