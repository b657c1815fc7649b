import { BOOKMARK_COLOR, type Bookmark, can, type Mission, type Sensor } from '@osprey/contract';
import { type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useShipCount } from '../ais/video/in-frame-now.ts';
import { texts as shipTexts } from '../ais/video/texts.ts';
import { useInFrameSpans } from '../ais/video/useInFrameSpans.ts';
import { useShipsOnVideo } from '../ais/video/useShipsOnVideo.ts';
import { useAnnotationMarks } from '../annotations/useAnnotationMarks.ts';
import { useAnnotationsOnVideo, useAnnotationsOverlay } from '../annotations/useAnnotationsOverlay.ts';
import { useActor, useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { factsOf } from '../base/mission-rights.ts';
import type { Editing } from '../bookmarks/BookmarkDialog.tsx';
import { BOOKMARK_PARAMETER } from '../bookmarks/link.ts';
import { goTo, type MarkedView, markedView } from '../bookmarks/marked-view.ts';
import { neighbour, nextNumber, pinsOf } from '../bookmarks/pins.ts';
import { texts } from '../bookmarks/texts.ts';
import { useBookmarkActs } from '../bookmarks/useBookmarkActs.ts';
import { useBookmarks } from '../bookmarks/useBookmarks.ts';
import { clipsView } from '../clips/clips-view.ts';
import { barsOf } from '../clips/pins.ts';
import { texts as clipTexts } from '../clips/texts.ts';
import { useClips } from '../clips/useClips.ts';
import { useTogetherView } from '../conference/together/useTogetherView.ts';
import { useLastSeenOverlay } from '../coverage/useLastSeenOverlay.ts';
import { MapQueryContext } from '../map/map-query.ts';
import { PageOverlays } from '../map/page-overlays.ts';
import { wantedExports } from '../missions/exports/export-store.ts';
import { useMapQuery } from '../missions/map-query/useMapQuery.ts';
import type { ViewAddress } from '../missionview/address.ts';
import { type MarkCommand, MarkCommandsContext } from '../missionview/mark-commands.ts';
import { PhoneExtrasContext } from '../missionview/phone-extras.ts';
import { frameOnScreen } from '../onscreen/frame-on-screen.ts';
import { useParts } from '../onscreen/parts.ts';
import { joinGuests, PictureGuestContext } from '../player/picture/guest.ts';
import { drawnOnScreen, pictureOnScreen } from '../snapshots/capture.ts';
import type { SnapshotOf } from '../snapshots/moment.ts';
import { useSnapshots } from '../snapshots/useSnapshots.ts';
import { useSnapshotTaking } from '../snapshots/useSnapshotTaking.tsx';
import { type Selection, setEnd, TimelineExtrasContext } from '../timeline/marks.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { later } from '../ui/later.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useSameFunction } from '../ui/useSameFunction.ts';

const BookmarkDialog = laterDialog(async () => (await import('../bookmarks/BookmarkDialog.tsx')).BookmarkDialog);
const BookmarksDialog = laterDialog(async () => (await import('../bookmarks/BookmarksDialog.tsx')).BookmarksDialog);
const MarkButton = later(async () => (await import('../bookmarks/MarkButton.tsx')).MarkButton, { optional: true });
const ShipsInFrame = later(async () => (await import('../ais/video/ShipsInFrame.tsx')).ShipsInFrame);
const PhonePins = later(async () => (await import('../bookmarks/PhonePins.tsx')).PhonePins);
const ExportDialog = laterDialog(async () => (await import('../clips/ExportDialog.tsx')).ExportDialog);
const QuickTitle = later(async () => (await import('../bookmarks/QuickTitle.tsx')).QuickTitle, { optional: true });

const nothingSelected: Selection = { inUs: null, outUs: null };

type Props = {
  mission: Mission;
  sensors: readonly Sensor[];
  /** The first picture is there: until then no annotations are asked for. */
  calm: boolean;
  address: Pick<ViewAddress, 'choice' | 'onChoice'>;
  children: ReactNode;
};

/**
 * Keeps what features mark in a mission, around its view: a new mark draws the timeline and no player. Marks of all
 * features are joined here; the selection is read with `useSelection` of `timeline/marks.ts`.
 */
export function MissionMarks({ mission, sensors, calm, address, children }: Props) {
  const { clock, frames } = useParts();
  const actor = useActor();
  const { show } = useSnackbar();
  const { create } = useBookmarkActs();
  const { bookmarks, loading } = useBookmarks(mission._id);
  const [selection, setSelection] = useState(nothingSelected);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [listed, setListed] = useState(false);
  const [exporting, setExporting] = useState<string | null>(null);
  const [quick, setQuick] = useState<Bookmark | null>(null);
  const snapshots = useSnapshotTaking();
  const snapshotPins = useSnapshots(mission._id);
  const annotated = useAnnotationMarks(mission._id, calm);
  const pins = useMemo(() => [...pinsOf(bookmarks), ...snapshotPins], [bookmarks, snapshotPins]);
  const annotations = useAnnotationsOverlay(mission._id);
  const annotationsOnVideo = useAnnotationsOnVideo(calm ? mission._id : null);
  const shipsOnVideo = useShipsOnVideo(calm);
  const onVideo = useMemo(() => joinGuests([annotationsOnVideo, shipsOnVideo]), [annotationsOnVideo, shipsOnVideo]);
  const together = useTogetherView({ missionId: mission._id, sensors, address, guest: onVideo });
  const others = useContext(PageOverlays);
  const lastSeen = useLastSeenOverlay('clock');
  const query = useMapQuery(mission, sensors);
  const overlays = useMemo(
    () => [lastSeen, ...others, annotations, ...(query.overlay ? [query.overlay] : []), together.overlay],
    [lastSeen, others, annotations, query.overlay, together.overlay],
  );
  const { clips } = useClips(mission._id);
  const marks = useMemo(() => [...pins, ...barsOf(clips), ...annotated], [pins, clips, annotated]);
  const { hits } = query;
  const spans = useInFrameSpans(mission._id, calm);
  const extras = useMemo(
    () => ({
      marks,
      selection: { ...selection, onChange: setSelection },
      ...(hits && { hits }),
      ...(spans && { spans }),
    }),
    [marks, selection, hits, spans],
  );
  const mayMark = can(actor, 'bookmark.create', {
    ...mission,
    draft: mission.state === 'Created',
    authorId: null,
  }).allowed;

  const mayExport = can(actor, 'clip.export', { ...factsOf(mission), authorId: null }).allowed;

  /** The frame on screen now; gives the reason if nothing can be marked. */
  function frameToMark(): { sensorId: string; timeUs: number } | null {
    if (!mayMark) {
      show(texts.notAllowed, 'warning');
      return null;
    }
    const frame = frameOnScreen(frames, { leader: clock.get().leader, timeUs: clock.timeUs() });
    if (frame === null) show(texts.noPicture, 'warning');
    return frame;
  }

  function bookmark() {
    const frame = frameToMark();
    if (frame === null) return;
    // The dialog covers what goes on meanwhile.
    clock.pause();
    const sensorName = sensors.find(({ _id }) => _id === frame.sensorId)?.name ?? '';
    setEditing({ frame: { missionId: mission._id, ...frame }, sensorName });
  }

  async function quickBookmark() {
    const frame = frameToMark();
    if (frame === null) return;
    const title = fill(texts.quickTitle, { number: nextNumber(bookmarks) });
    const form = { title, text: '', tags: [], color: BOOKMARK_COLOR };
    setQuick(await create({ missionId: mission._id, ...frame }, form, { quiet: true }));
  }

  /** A snapshot has rights of its own: who may not bookmark may still take one. */
  function snapshotBy(take: (of: SnapshotOf) => void) {
    const frame = frameOnScreen(frames, { leader: clock.get().leader, timeUs: clock.timeUs() });
    if (frame === null) return show(texts.noPicture, 'warning');
    const { sensorId, timeUs } = frame;
    take({
      mission,
      sensor: { _id: sensorId, name: sensors.find(({ _id }) => _id === sensorId)?.name ?? '' },
      platformName: mission.platform.name,
      timeUs,
      picture: pictureOnScreen(sensorId),
      overlays: drawnOnScreen(sensorId),
      rights: mission,
    });
  }

  function toPin(direction: 1 | -1) {
    const timeUs = neighbour(pins, clock.timeUs(), { direction, playing: clock.get().playing });
    if (timeUs !== null) clock.seek(timeUs);
    else show(direction === 1 ? texts.noNext : texts.noPrevious, 'info');
  }

  function exportClip() {
    if (!mayExport) return show(clipTexts.guest, 'warning');
    const sensorId = clock.get().leader ?? sensors.find(({ type }) => type === 'video')?._id;
    if (sensorId === undefined) return;
    clock.pause();
    setExporting(sensorId);
  }

  const commands: Record<MarkCommand, () => void> = {
    in: () => setSelection((before) => setEnd(before, 'inUs', clock.timeUs())),
    out: () => setSelection((before) => setEnd(before, 'outUs', clock.timeUs())),
    bookmark,
    export: exportClip,
    quickBookmark: () => void quickBookmark(),
    bookmarks: () => setListed(true),
    snapshot: () => snapshotBy(snapshots.ask),
    quickSnapshot: () => snapshotBy(snapshots.takeAtOnce),
    previousPin: () => toPin(-1),
    nextPin: () => toPin(1),
    recordNow: () => undefined,
  };
  const run = useSameFunction((command: MarkCommand) => commands[command]());
  const view = useMemo(
    (): MarkedView => ({
      mission,
      mayMark,
      go: (chosen) => goTo(clock, chosen),
      edit: (chosen) => setEditing({ bookmark: chosen }),
    }),
    [mission, clock, mayMark],
  );
  useEffect(() => {
    markedView.set(view);
    return () => markedView.set(null);
  }, [view]);
  useEffect(() => {
    clipsView.set({ mission, clock, mayExport, onOrdered: wantedExports.add });
    return () => clipsView.set(null);
  }, [mission, clock, mayExport]);
  useLinkedBookmark(view, { bookmarks, loading });
  const count = bookmarks.length;
  const hasShips = useSession().info?.useAis === true;
  const shipCount = useShipCount();
  const phone = useMemo(
    () => ({
      mark: view.mayMark ? <MarkButton /> : null,
      tabs: [
        {
          id: 'pins',
          label: count === 0 ? texts.pins : fill(texts.pinsCount, { count }),
          content: <PhonePins view={view} />,
        },
        ...(hasShips
          ? [
              {
                id: 'ships',
                label: shipCount === 0 ? shipTexts.tab : fill(shipTexts.tabCount, { count: shipCount }),
                content: <ShipsInFrame sensors={sensors} />,
              },
            ]
          : []),
      ],
    }),
    [view, count, hasShips, shipCount, sensors],
  );

  return (
    <MarkCommandsContext value={run}>
      <PageOverlays value={overlays}>
        <TimelineExtrasContext value={extras}>
          <PictureGuestContext value={together.guest}>
            <MapQueryContext value={query.control}>
              <PhoneExtrasContext value={phone}>{children}</PhoneExtrasContext>
            </MapQueryContext>
          </PictureGuestContext>
        </TimelineExtrasContext>
      </PageOverlays>
      {editing && <BookmarkDialog mission={mission} editing={editing} onClose={() => setEditing(null)} />}
      {exporting && (
        <ExportDialog
          {...{ mission, sensors, sensorId: exporting, inUs: selection.inUs, outUs: selection.outUs }}
          onOrdered={wantedExports.add}
          onClose={() => setExporting(null)}
        />
      )}
      {listed && <BookmarksDialog view={view} onClose={() => setListed(false)} />}
      {snapshots.dialog}
      {quick && <QuickTitle key={quick._id} bookmark={quick} onDone={() => setQuick(null)} />}
    </MarkCommandsContext>
  );
}

type Listed = { bookmarks: readonly Bookmark[]; loading: boolean };

/**
 * A link names a bookmark: once the list is there the players go to its current frame. The name leaves the address with
 * the first moment that the view writes into it, which may be before.
 */
function useLinkedBookmark(view: MarkedView, { bookmarks, loading }: Listed) {
  const { show } = useSnackbar();
  const [query] = useSearchParams();
  const named = query.get(BOOKMARK_PARAMETER);
  const [wanted, setWanted] = useState(named);
  if (named !== null && named !== wanted) setWanted(named);
  const arrive = useEffectEvent((id: string) => {
    const found = bookmarks.find(({ _id }) => _id === id);
    if (found) view.go(found);
    else show(texts.gone, 'warning');
  });
  useEffect(() => {
    if (wanted !== null && !loading) arrive(wanted);
  }, [wanted, loading]);
}
