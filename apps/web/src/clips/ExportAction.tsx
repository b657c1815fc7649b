import { mdiMovieOpenOutline } from '@mdi/js';
import { useContext } from 'react';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import type { OpenView } from '../missionview/feature.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { lengthText } from '../timeline/scale.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';

/**
 * Button in the bar of a view: exports the span between In and Out, or the buffered part of a live stream that is not
 * recorded.
 */
export function ExportAction({ view }: { view: OpenView }) {
  const commands = useContext(FeatureCommandsContext);
  const { role } = useActor();
  const isLive = view.view === 'live';
  if (commands === null || (isLive && (view.stream === null || role === 'guest'))) return null;
  const run = () => commands.run('export');
  if (view.marked === null) return <ExportKept onClick={run} />;
  return <Action label={texts.title} word={texts.titleWord} keys="E" icon={mdiMovieOpenOutline} onClick={run} />;
}

/** Export button for a live stream; its tooltip shows how much is buffered. */
function ExportKept({ onClick }: { onClick: () => void }) {
  const { startUs, endUs } = useClockState(useViewServices().clock);
  const hint = endUs > startUs ? fill(texts.keptFor, { length: lengthText(endUs - startUs) }) : undefined;
  return <Action label={texts.kept} hint={hint} icon={mdiMovieOpenOutline} onClick={onClick} />;
}
