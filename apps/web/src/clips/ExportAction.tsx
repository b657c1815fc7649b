import { mdiMovieOpenOutline } from '@mdi/js';
import { useContext } from 'react';
import type { OpenView } from '../missionview/feature.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';

/** In the control bar of a mission: exports the span between In and Out. */
export function ExportAction({ view }: { view: OpenView }) {
  const commands = useContext(FeatureCommandsContext);
  if (commands === null || view.view === 'live') return null;
  return <Action label={texts.title} icon={mdiMovieOpenOutline} onClick={() => commands.run('export')} />;
}
