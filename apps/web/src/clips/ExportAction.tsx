import { mdiMovieOpenOutline } from '@mdi/js';
import { useContext } from 'react';
import { MarkCommandsContext } from '../missionview/mark-commands.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';

/** In the control bar: exports the span between In and Out. */
export function ExportAction() {
  const run = useContext(MarkCommandsContext);
  return run && <Action label={texts.title} icon={mdiMovieOpenOutline} onClick={() => run('export')} />;
}
