import { mdiBookmarkMultipleOutline, mdiBookmarkPlusOutline, mdiContainEnd, mdiContainStart, mdiRecord } from '@mdi/js';
import { Button, Tooltip } from '@mui/material';
import { BOOKMARK_COLOR, type Bookmark, can, type LivePlatform, type LiveSensor } from '@osprey/contract';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { useShipCount, useShipLabel } from '../ais/video/in-frame-now.ts';
import { texts as shipTexts } from '../ais/video/texts.ts';
import { useShipsOnVideo } from '../ais/video/useShipsOnVideo.ts';
import { useActor, useSession } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { useShownLabels } from '../base/shown-labels.ts';
import type { Editing } from '../bookmarks/BookmarkDialog.tsx';
import { linkToBookmark } from '../bookmarks/link.ts';
import { type MarkedMission, type MarkedView, markedView } from '../bookmarks/marked-view.ts';
import { nextNumber } from '../bookmarks/pins.ts';
import { texts } from '../bookmarks/texts.ts';
import { useBookmarkActs } from '../bookmarks/useBookmarkActs.ts';
import { useBookmarks } from '../bookmarks/useBookmarks.ts';
import { useTogetherLive } from '../conference/together/useTogetherView.ts';
import { watchedOf } from '../live/watched.ts';
import { useMission } from '../missions/useMissions.ts';
import { PLAYERS_MAX } from '../missionview/layout.ts';
import { type MarkCommand, MarkCommandsContext } from '../missionview/mark-commands.ts';
import { PhoneExtrasContext } from '../missionview/phone-extras.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { frameOnScreen } from '../onscreen/frame-on-screen.ts';
import { useParts } from '../onscreen/parts.ts';
import { RecordingProvider } from '../platforms/control/RecordingProvider.tsx';
import { useRecording } from '../platforms/control/recording.ts';
import { texts as control } from '../platforms/control/texts.ts';
import { usePlatformControl } from '../platforms/control/usePlatformControl.ts';
import { factsOf } from '../platforms/rows.ts';
import type { LiveSelection } from '../platforms/useLiveSelection.ts';
import { PictureGuestContext } from '../player/picture/guest.ts';
import { drawnOnScreen, pictureOnScreen } from '../snapshots/capture.ts';
import type { SnapshotOf } from '../snapshots/moment.ts';
import { SnapshotAction } from '../snapshots/SnapshotAction.tsx';
import { useSnapshotTaking } from '../snapshots/useSnapshotTaking.tsx';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { later } from '../ui/later.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useSameFunction } from '../ui/useSameFunction.ts';

const BookmarkDialog = laterDialog(async () => (await import('../bookmarks/BookmarkDialog.tsx')).BookmarkDialog);
const BookmarksDialog = laterDialog(async () => (await import('../bookmarks/BookmarksDialog.tsx')).BookmarksDialog);
const MarkButton = later(async () => (await import('../bookmarks/MarkButton.tsx')).MarkButton, { optional: true });
const PhonePins = later(async () => (await import('../bookmarks/PhonePins.tsx')).PhonePins);
const ShipsInFrame = later(async () => (await import('../ais/video/ShipsInFrame.tsx')).ShipsInFrame);
const ShipsInFrameAction = later(async () => (await import('../ais/video/ShipsInFrameAction.tsx')).ShipsInFrameAction, {
  optional: true,
});
const QuickTitle = later(async () => (await import('../bookmarks/QuickTitle.tsx')).QuickTitle, { optional: true });

type Led = { platform: LivePlatform; sensor: LiveSensor };

/** Actions on the stream that leads: null while none does. */
type LiveState = {
  /** The mission that it is recorded into; null: it is not recorded. */
  missionId: string | null;
  /** Begins to record; null for who may not. */
  record: (() => void) | null;
};
const LiveStateContext = createContext<LiveState | null>(null);

type Props = { platforms: readonly LivePlatform[]; selection: LiveSelection; children: ReactNode };

/** Keeps what is marked in live streams: each mark goes to the mission that is being recorded. */
export function LiveMarks(props: Props) {
  return (
    <RecordingProvider selection={props.selection} control={usePlatformControl()}>
      <Marks {...props} />
    </RecordingProvider>
  );
}

const ledOf = (platforms: readonly LivePlatform[], id: string | null): Led | null =>
  platforms
    .flatMap((platform) => platform.sensors.map((sensor) => ({ platform, sensor })))
    .find(({ sensor }) => sensor._id === id) ?? null;

function Marks({ platforms, selection, children }: Props) {
  const { clock, frames } = useParts();
  const { leader } = useClockState(clock);
  const actor = useActor();
  const navigate = useNavigate();
  const { show } = useSnackbar();
  const { press, recordNow } = useRecording();
  const { create } = useBookmarkActs();
  const snapshots = useSnapshotTaking();
  const [editing, setEditing] = useState<Editing | null>(null);
  const [listed, setListed] = useState(false);
  const [quick, setQuick] = useState<Bookmark | null>(null);
  const led = ledOf(platforms, leader);
  const missionId = led?.sensor.live ? led.platform.mission : null;
  const read = useMission(missionId).data;
  const { bookmarks } = useBookmarks(missionId);
  const mayMark = actor !== null && actor.role !== 'guest';
  const mayRecord = led !== null && can(actor, 'platform.control', factsOf(led.platform)).allowed;

  const record = useSameFunction(() => {
    if (led) press({ kind: 'sensor', ...led, readAtMs: Date.now() });
  });
  /** The platform with what is chosen of it; where it is recorded already, the stream that leads joins. */
  function recordLeading() {
    if (led === null) return show(control.now.noLeader, 'warning');
    const { platform, sensor } = led;
    if (!mayRecord) return show(control.mayNot, 'warning');
    if (sensor.live) return show(fill(control.now.already, { name: `${platform.name} ${sensor.name}` }), 'info');
    const readAtMs = Date.now();
    recordNow(platform.live ? { kind: 'sensor', ...led, readAtMs } : { kind: 'platform', platform, readAtMs });
  }
  const isLed = led !== null;
  const state = useMemo(
    (): LiveState | null => (isLed ? { missionId, record: mayRecord ? record : null } : null),
    [isLed, missionId, mayRecord, record],
  );

  const mission = useMemo((): MarkedMission | null => {
    if (missionId === null || led === null) return null;
    const { securityClassification, marked } = read ?? led.platform;
    return { _id: missionId, securityClassification, marked };
  }, [missionId, read, led]);
  const go = useSameFunction((bookmark: Bookmark) => {
    const { startUs, endUs } = clock.get();
    if (bookmark.time >= startUs && bookmark.time <= endUs) return clock.seek(bookmark.time);
    const { pathname, search } = new URL(linkToBookmark(bookmark));
    void navigate(`${pathname}${search}`);
  });
  const view = useMemo(
    (): MarkedView | null =>
      mission && { mission, go, mayMark, edit: (chosen: Bookmark) => setEditing({ bookmark: chosen }) },
    [mission, go, mayMark],
  );
  useEffect(() => {
    markedView.set(view);
    return () => markedView.set(null);
  }, [view]);

  /**
   * The frame on screen, also when it is wound back, in the sensor of the mission; gives the reason if there is none.
   */
  function frameToMark() {
    if (!mayMark) return refuse(texts.notAllowed);
    if (led === null) return refuse(texts.noPicture);
    const sensorId = led.sensor.missionSensor;
    if (missionId === null || sensorId === null) {
      show(texts.unrecorded, 'warning', mayRecord ? { label: texts.record, onClick: record } : undefined);
      return null;
    }
    const frame = frameOnScreen(frames, { leader, timeUs: clock.timeUs() });
    if (frame === null || frame.sensorId !== led.sensor._id) return refuse(texts.noPicture);
    return { frame: { missionId, sensorId, timeUs: frame.timeUs }, sensorName: led.sensor.name };
  }
  function refuse(text: string): null {
    show(text, 'warning');
    return null;
  }

  async function quickBookmark() {
    const marked = frameToMark();
    if (marked === null) return;
    const title = fill(texts.quickTitle, { number: nextNumber(bookmarks) });
    setQuick(await create(marked.frame, { title, text: '', tags: [], color: BOOKMARK_COLOR }, { quiet: true }));
  }

  /** For a stream that is not recorded it has the rights of the platform, and no mission. */
  function snapshotBy(take: (of: SnapshotOf) => void) {
    const frame = frameOnScreen(frames, { leader, timeUs: clock.timeUs() });
    if (led === null || frame === null || frame.sensorId !== led.sensor._id) return void refuse(texts.noPicture);
    const { sensor, platform } = led;
    const isKept = missionId !== null && sensor.missionSensor !== null && read !== undefined;
    take({
      mission: isKept ? read : null,
      sensor: { _id: isKept ? (sensor.missionSensor ?? '') : sensor._id, name: sensor.name },
      platformName: platform.name,
      timeUs: frame.timeUs,
      picture: pictureOnScreen(sensor._id),
      overlays: drawnOnScreen(sensor._id),
      rights: isKept ? read : platform,
    });
  }

  const endOfSelection = () => void (frameToMark() && show(texts.selectInMission, 'info'));
  const commands: Record<MarkCommand, () => void> = {
    bookmark: () => setEditing(frameToMark()),
    quickBookmark: () => void quickBookmark(),
    bookmarks: () => (view ? setListed(true) : frameToMark()),
    in: endOfSelection,
    out: endOfSelection,
    snapshot: () => snapshotBy(snapshots.ask),
    quickSnapshot: () => snapshotBy(snapshots.takeAtOnce),
    export: endOfSelection,
    previousPin: () => undefined,
    nextPin: () => undefined,
    recordNow: recordLeading,
  };
  const run = useSameFunction((command: MarkCommand) => commands[command]());
  const count = bookmarks.length;
  const shipsOnVideo = useShipsOnVideo(useFirstPicture());
  const watched = watchedOf(platforms, selection.sensorIds, PLAYERS_MAX).map(({ sensor }) => sensor._id);
  const guest = useTogetherLive(watched, shipsOnVideo);
  const hasShips = useSession().info?.useAis === true;
  const shipCount = useShipCount();
  useShownLabels([useShipLabel()]);
  const phone = useMemo(
    () => ({
      mark: mayMark && isLed ? <MarkButton /> : null,
      tabs: [
        ...(view === null
          ? []
          : [
              {
                id: 'pins',
                label: count === 0 ? texts.pins : fill(texts.pinsCount, { count }),
                content: <PhonePins view={view} />,
              },
            ]),
        ...(hasShips && isLed
          ? [
              {
                id: 'ships',
                label: shipCount === 0 ? shipTexts.tab : fill(shipTexts.tabCount, { count: shipCount }),
                content: <ShipsInFrame sensors={namesOf(platforms)} />,
              },
            ]
          : []),
      ],
    }),
    [mayMark, isLed, view, count, hasShips, shipCount, platforms],
  );

  return (
    <MarkCommandsContext value={run}>
      <LiveStateContext value={state}>
        <PictureGuestContext value={guest}>
          <PhoneExtrasContext value={phone}>{children}</PhoneExtrasContext>
        </PictureGuestContext>
      </LiveStateContext>
      {editing && mission && <BookmarkDialog mission={mission} editing={editing} onClose={() => setEditing(null)} />}
      {listed && view && <BookmarksDialog view={view} onClose={() => setListed(false)} />}
      {snapshots.dialog}
      {quick && <QuickTitle key={quick._id} bookmark={quick} onDone={() => setQuick(null)} />}
    </MarkCommandsContext>
  );
}

/** Pictures of several platforms are on screen: their sensors may have the same name. */
const namesOf = (platforms: readonly LivePlatform[]) =>
  platforms.flatMap(({ name: platform, sensors }) =>
    sensors.map(({ _id, name }) => ({ _id, name: `${platform} ${name}` })),
  );

/** The map has begun, so the first pictures had their time: until then no ships are asked for. */
function useFirstPicture(): boolean {
  const { firstFrame } = useParts();
  return useSyncExternalStore(firstFrame.subscribe, firstFrame.get);
}

/** In the bar over live streams: the ships that the pictures show, for all who may watch. */
export function LiveShipsAction({ platforms }: { platforms: readonly LivePlatform[] }) {
  const { clock } = useParts();
  const { leader } = useClockState(clock);
  return ledOf(platforms, leader) && <ShipsInFrameAction sensors={namesOf(platforms)} />;
}

/** In the bar over live streams: what marks, disabled where nothing is recorded, with the way to begin. */
export function LiveMarkActions() {
  const run = useContext(MarkCommandsContext);
  const state = useContext(LiveStateContext);
  const actor = useActor();
  if (run === null || state === null || actor === null || actor.role === 'guest') return null;
  const disabled = state.missionId === null;
  const hint = disabled ? texts.unrecorded : undefined;
  return (
    <>
      <Action
        label={texts.create}
        hint={hint}
        icon={mdiBookmarkPlusOutline}
        disabled={disabled}
        onClick={() => run('bookmark')}
      />
      <SnapshotAction />
      {disabled && (
        <>
          <Action label={texts.setIn} hint={hint} icon={mdiContainStart} disabled />
          <Action label={texts.setOut} hint={hint} icon={mdiContainEnd} disabled />
        </>
      )}
      {disabled && state.record && (
        <Action label={texts.recordToMark} icon={mdiRecord} onClick={state.record} sx={{ color: 'error.main' }} />
      )}
      {disabled && state.record && (
        <Tooltip title={control.now.leading}>
          <Button
            aria-label={control.now.leading}
            startIcon={<Icon path={mdiRecord} sx={{ color: 'error.main' }} />}
            onClick={() => run('recordNow')}
            sx={{ flex: 'none' }}
          >
            {control.now.bar}
          </Button>
        </Tooltip>
      )}
      {!disabled && <Action label={texts.title} icon={mdiBookmarkMultipleOutline} onClick={() => run('bookmarks')} />}
    </>
  );
}
