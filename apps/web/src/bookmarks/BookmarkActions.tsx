import { mdiBookmarkMultipleOutline, mdiBookmarkPlusOutline } from '@mdi/js';
import { useContext } from 'react';
import { MarkCommandsContext } from '../missionview/mark-commands.ts';
import { Action } from '../ui/Action.tsx';
import { useMarkedView } from './marked-view.ts';
import { texts } from './texts.ts';

/** In the control bar: marks the moment, and opens the list. */
export function BookmarkActions() {
  const run = useContext(MarkCommandsContext);
  const view = useMarkedView();
  if (run === null || view === null) return null;
  return (
    <>
      {view.mayMark && <Action label={texts.create} icon={mdiBookmarkPlusOutline} onClick={() => run('bookmark')} />}
      <Action label={texts.title} icon={mdiBookmarkMultipleOutline} onClick={() => run('bookmarks')} />
    </>
  );
}
