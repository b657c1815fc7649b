import { mdiBriefcasePlusOutline } from '@mdi/js';
import { can } from '@osprey/contract';
import { useContext } from 'react';
import { useActor } from '../api/session.ts';
import type { OpenView } from '../missionview/feature.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';
import { useMayClip } from './useMayClip.ts';

/** Button in the bar of a view: keeps the span between In and Out as a clip and adds it to a case. */
export function ClipToCaseAction({ view }: { view: OpenView }) {
  const commands = useContext(FeatureCommandsContext);
  const actor = useActor();
  const mayClip = useMayClip(view);
  if (commands === null || !mayClip || !can(actor, 'case.createAny').allowed) return null;
  if (view.view === 'live' && view.marked === null) return null;
  return (
    <Action label={texts.toCase.title} icon={mdiBriefcasePlusOutline} onClick={() => commands.run('clipToCase')} />
  );
}
