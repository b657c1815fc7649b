import { mdiBookmarkMultipleOutline, mdiBookmarkPlusOutline } from '@mdi/js';
import { useContext } from 'react';
import type { OpenView } from '../missionview/feature.ts';
import { FeatureCommandsContext } from '../missionview/feature-commands.ts';
import { Action } from '../ui/Action.tsx';
import { texts } from './texts.ts';
import { useMayMark } from './useMayMark.ts';

/** Buttons of the control bar that bookmark the current frame and open the list of bookmarks. */
export function BookmarkActions({ view }: { view: OpenView }) {
  const commands = useContext(FeatureCommandsContext);
  const mayMark = useMayMark(view);
  if (commands === null || view.marked === null) return null;
  return (
    <>
      {mayMark && (
        <Action
          label={texts.create}
          word={texts.createWord}
          keys="B"
          icon={mdiBookmarkPlusOutline}
          onClick={() => commands.run('bookmark')}
        />
      )}
      <Action label={texts.title} icon={mdiBookmarkMultipleOutline} onClick={() => commands.run('bookmarks')} />
    </>
  );
}
