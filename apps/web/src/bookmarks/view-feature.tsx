import { mdiBookmarkPlusOutline } from '@mdi/js';
import { BOOKMARK_COLOR, type Bookmark } from '@osprey/contract';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { fill } from '../base/format.ts';
import type { InView, OpenView, ViewFeature } from '../missionview/feature.ts';
import { useMoment } from '../missionview/useMoment.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { later } from '../ui/later.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useSameFunction } from '../ui/useSameFunction.ts';
import { BookmarkActions } from './BookmarkActions.tsx';
import type { Editing } from './BookmarkDialog.tsx';
import { BOOKMARK_PARAMETER, linkToBookmark } from './link.ts';
import { goTo, type MarkedView, markedView } from './marked-view.ts';
import { nextNumber, pinsOf } from './pins.ts';
import { texts } from './texts.ts';
import { useBookmarkActs } from './useBookmarkActs.ts';
import { useBookmarks } from './useBookmarks.ts';
import { useMayMark } from './useMayMark.ts';

const BookmarkDialog = laterDialog(async () => (await import('./BookmarkDialog.tsx')).BookmarkDialog);
const BookmarksDialog = laterDialog(async () => (await import('./BookmarksDialog.tsx')).BookmarksDialog);
const MarkButton = later(async () => (await import('./MarkButton.tsx')).MarkButton, { optional: true });
const PhonePins = later(async () => (await import('./PhonePins.tsx')).PhonePins);
const QuickTitle = later(async () => (await import('./QuickTitle.tsx')).QuickTitle, { optional: true });

export const bookmarksFeature: ViewFeature = {
  id: 'bookmarks',
  keys: [
    { keys: { B: 'bookmark' }, text: 'Bookmark this moment' },
    { keys: { 'Shift B': 'quickBookmark' }, text: 'Bookmark without a dialog' },
  ],
  menu: [{ command: 'bookmark', label: texts.withTitle, icon: mdiBookmarkPlusOutline }],
  actions: [{ group: 'marks', Button: BookmarkActions }],
  useInView: useBookmarksInView,
  activityTexts: {
    'bookmark.read': 'Opened the bookmarks',
    'bookmark.create': 'Added a bookmark',
    'bookmark.update': 'Changed a bookmark',
    'bookmark.delete': 'Deleted bookmarks',
    'bookmark.restore': 'Restored bookmarks',
  },
};

const markButton = <MarkButton />;

function useBookmarksInView(view: OpenView): InView {
  const { marked } = view;
  const { clock } = useViewServices();
  const { show } = useSnackbar();
  const { create } = useBookmarkActs();
  const { bookmarks, loading } = useBookmarks(marked?._id ?? null);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [listed, setListed] = useState(false);
  const [quick, setQuick] = useState<Bookmark | null>(null);
  const moment = useMoment(view);
  const mayMark = useMayMark(view);
  const go = useGo(view);
  const panel = useMemo(
    (): MarkedView | null =>
      marked && { mission: marked, mayMark, go, edit: (bookmark: Bookmark) => setEditing({ bookmark }) },
    [marked, mayMark, go],
  );
  useEffect(() => {
    markedView.set(panel);
    return () => markedView.set(null);
  }, [panel]);
  useLinkedBookmark(view.view === 'mission' ? go : null, { bookmarks, loading });

  /**
   * Returns the frame on screen; null if there is none or the user has no right, which has then been explained to the
   * user.
   */
  function frameToMark() {
    if (!mayMark) {
      show(texts.notAllowed, 'warning');
      return null;
    }
    const found = moment.recorded();
    return found && { frame: { ...found.recorded, timeUs: found.timeUs }, sensorName: found.sensorName };
  }
  function bookmark() {
    const found = frameToMark();
    if (found === null) return;
    // Playback of a recording is paused, since the dialog covers it; a live stream continues.
    if (view.view === 'mission') clock.pause();
    setEditing(found);
  }
  async function quickBookmark() {
    const found = frameToMark();
    if (found === null) return;
    const title = fill(texts.quickTitle, { number: nextNumber(bookmarks) });
    setQuick(await create(found.frame, { title, text: '', tags: [], color: BOOKMARK_COLOR }, { quiet: true }));
  }

  const count = bookmarks.length;
  const phoneTab = useMemo(
    () =>
      panel && {
        id: 'pins',
        label: count === 0 ? texts.pins : fill(texts.pinsCount, { count }),
        content: <PhonePins view={panel} />,
      },
    [panel, count],
  );
  return {
    marks: useMemo(() => pinsOf(bookmarks), [bookmarks]),
    commands: {
      bookmark,
      quickBookmark: () => void quickBookmark(),
      bookmarks: () => (panel ? setListed(true) : void moment.recorded()),
    },
    phoneTab,
    phoneMark: mayMark && (view.view === 'mission' || view.stream !== null) ? markButton : null,
    dialogs: (
      <>
        {editing && marked && <BookmarkDialog mission={marked} editing={editing} onClose={() => setEditing(null)} />}
        {listed && panel && <BookmarksDialog view={panel} onClose={() => setListed(false)} />}
        {quick && <QuickTitle key={quick._id} bookmark={quick} onDone={() => setQuick(null)} />}
      </>
    ),
  };
}

/**
 * Returns a function that moves to the frame of a bookmark, in this view if it can show the frame, and otherwise in the
 * view of its mission.
 */
function useGo({ view }: OpenView): (bookmark: Bookmark) => void {
  const { clock } = useViewServices();
  const navigate = useNavigate();
  return useSameFunction((bookmark: Bookmark) => {
    if (view === 'mission') return goTo(clock, bookmark);
    const { startUs, endUs } = clock.get();
    if (bookmark.time >= startUs && bookmark.time <= endUs) return clock.seek(bookmark.time);
    const { pathname, search } = new URL(linkToBookmark(bookmark));
    void navigate(`${pathname}${search}`);
  });
}

type Listed = { bookmarks: readonly Bookmark[]; loading: boolean };

/**
 * Opens the bookmark named in the address: once the list is loaded, the players move to its current frame. The id is
 * remembered, since the view may remove it from the address earlier, when it writes the current time there.
 */
function useLinkedBookmark(go: ((bookmark: Bookmark) => void) | null, { bookmarks, loading }: Listed) {
  const { show } = useSnackbar();
  const [query] = useSearchParams();
  const named = go === null ? null : query.get(BOOKMARK_PARAMETER);
  const [requested, setRequested] = useState(named);
  if (named !== null && named !== requested) setRequested(named);
  const arrive = useEffectEvent((id: string) => {
    const found = bookmarks.find(({ _id }) => _id === id);
    if (found) go?.(found);
    else show(texts.gone, 'warning');
  });
  useEffect(() => {
    if (requested !== null && !loading) arrive(requested);
  }, [requested, loading]);
}
