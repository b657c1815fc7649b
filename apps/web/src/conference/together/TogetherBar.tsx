import { mdiAccountEye, mdiCursorDefaultClickOutline } from '@mdi/js';
import { Box, Button, ToggleButton, Tooltip, useMediaQuery } from '@mui/material';
import type { SharedView, TogetherRoom } from '@osprey/contract';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { fill } from '../../base/format.ts';
import { unseen } from '../../base/sizes.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { followClock } from './follow.ts';
import { followLive } from './follow-live.ts';
import { followMap } from './follow-map.ts';
import { startLeading } from './lead.ts';
import { isTogether, LIVE, type OpenView, openMap, openView, subjectOf } from './shared.ts';
import { texts } from './texts.ts';
import { isTouched, noteTouches } from './touched.ts';
import { usePointers } from './usePointers.ts';
import { useTogether } from './useTogether.ts';
import { addressOf, sharedSubject } from './view.ts';

type Together = ReturnType<typeof useTogether>;

/**
 * Shows a line for each conference room in which this account is: who leads the room, and whether this page leads or
 * follows.
 */
export function TogetherBar() {
  const together = useTogether();
  const isViewing = together.rooms.some(({ page }) => page !== 'neither');
  useEffect(() => {
    isTogether.set(isViewing);
    return () => isTogether.set(false);
  }, [isViewing]);
  return together.rooms.map((room) => <RoomBar key={room._id} room={room} together={together} />);
}

function RoomBar({ room, together }: { room: TogetherRoom; together: Together }) {
  const { wish, shown } = together;
  const { _id, page, leader, refused } = room;
  const view = shown?.room === _id ? shown.view : null;
  const own = useSyncExternalStore(openView.subscribe, openView.get);
  const subject = page === 'leads' ? subjectOf(own) : view && sharedSubject(view);
  const isViewing = subject !== null && refused === null && page !== 'neither';
  const phone = useMediaQuery('(max-width: 599.95px)');
  const pointing = usePointers({ room: _id, subject: isViewing ? subject : null });

  return (
    <Box
      role="region"
      aria-label={fill(texts.bar, { room: room.name })}
      sx={{
        ...{ display: 'flex', flexWrap: { sm: 'wrap' }, alignItems: 'center', gap: 2, px: { xs: 3, sm: 4 }, py: 1 },
        ...{ flex: 'none', minHeight: 44, borderBottom: 1, borderColor: 'divider' },
        bgcolor: refused
          ? 'color-mix(in srgb, var(--mui-palette-warning-main) 18%, transparent)'
          : 'color-mix(in srgb, var(--mui-palette-primary-main) 12%, transparent)',
      }}
    >
      <Icon path={mdiAccountEye} sx={{ color: refused ? 'warning.main' : 'primary.main' }} />
      <Box component="span" role={refused ? 'alert' : 'status'} sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        {sentenceOf(room, { view, own })}
      </Box>
      {!phone && <LabelMark label={room.securityClassification} />}
      <Box sx={{ ml: 'auto', display: 'flex', flex: 'none', gap: 1 }}>
        {isViewing && (
          <Tooltip title={texts.pointHelp} describeChild>
            <ToggleButton
              value="point"
              size="small"
              selected={pointing.on}
              onChange={() => pointing.toggle()}
              sx={{ gap: 1, color: pointing.on ? 'primary.main' : 'text.primary', textTransform: 'none' }}
            >
              <Icon path={mdiCursorDefaultClickOutline} />
              <Box component="span" sx={phone ? unseen : {}}>
                {texts.point}
              </Box>
            </ToggleButton>
          </Tooltip>
        )}
        {page === 'neither' && leader !== null && (
          <Button variant="contained" color="primary" onClick={() => wish({ command: 'follow', room: _id })}>
            {texts.follow}
          </Button>
        )}
        {page !== 'leads' && !(phone && leader !== null) && (
          <Button onClick={() => wish({ command: 'lead', room: _id })}>
            {leader === null ? texts.lead : texts.leadInstead}
          </Button>
        )}
        {page !== 'neither' && (
          <Button onClick={() => wish({ command: 'stop', room: _id })}>
            {phone ? texts.stop : page === 'leads' ? texts.stopLeading : texts.stopFollowing}
          </Button>
        )}
      </Box>
      {page === 'leads' && <Leading room={_id} say={together.say} />}
      {page === 'follows' && view !== null && (
        <Following view={view} onOwnWay={() => wish({ command: 'stop', room: _id })} />
      )}
    </Box>
  );
}

type Seen = { view: SharedView | null; own: OpenView | null };

function sentenceOf({ name, leader, page, refused, securityClassification }: TogetherRoom, seen: Seen): string {
  const words = { room: name, leader: leader ?? '' };
  if (refused !== null) {
    const text = subjectOf(seen.own) === LIVE ? texts.refusedLive : texts.refused;
    return fill(text, { ...words, label: securityClassification, shown: refused });
  }
  if (page === 'leads') return fill(seen.own !== null ? texts.leading : texts.leadingNothing, words);
  if (leader === null) return fill(page === 'follows' ? texts.noLeader : texts.nobody, words);
  if (page === 'neither') return fill(texts.others, words);
  return fill(seen.view === null ? texts.notFollowing : texts.following, words);
}

/** Sends the view of this page to the room whenever it changes. Renders nothing. */
function Leading({ room, say }: { room: string; say: Together['say'] }) {
  useEffect(() => startLeading((view) => say('TogetherShow', { room, view })), [room, say]);
  return null;
}

/** Moves this page to the leader's view, until the user navigates elsewhere. */
function Following({ view, onOwnWay }: { view: SharedView; onOwnWay: () => void }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { show } = useSnackbar();
  const open = useSyncExternalStore(openView.subscribe, openView.get);
  const map = useSyncExternalStore(openMap.subscribe, openMap.get);
  const arrived = useRef<string | null>(null);
  const [left, setLeft] = useState(false);
  const clock = useRef<{ show: (view: SharedView) => void } | null>(null);
  const leave = useEffectEvent(() => {
    if (left) return;
    setLeft(true);
    show(texts.ownWay, 'info');
    onOwnWay();
  });
  const subject = sharedSubject(view);
  const openId = subjectOf(open);

  useEffect(() => noteTouches(), []);

  const go = useEffectEvent(() => {
    const query = new URLSearchParams(search);
    const isComing =
      'live' in view ? pathname === '/live' : pathname === '/missions' && query.get('mission') === subject;
    if (!isComing) void navigate(addressOf(view));
  });
  useEffect(() => {
    if (openId === subject) arrived.current = subject;
    else if (arrived.current === subject && isTouched()) leave();
    else go();
  }, [subject, openId]);

  const opened = openId === subject ? open : null;
  const ids = opened === null || 'live' in opened ? '' : opened.sensorIds.join();
  const ofClock = opened?.clock ?? null;
  useEffect(() => {
    if (ofClock === null) return;
    const following = { clock: ofClock, isTouched, onOwnWay: leave };
    const followed =
      subject === LIVE ? liveClock(following) : missionClock({ ...following, sensorIds: ids.split(',') });
    clock.current = followed;
    return () => {
      clock.current = null;
      followed.stop();
    };
  }, [ofClock, ids, subject]);
  useEffect(() => {
    if (ofClock !== null && !left) clock.current?.show(view);
  }, [ofClock, ids, view, left]);

  const shownText = ('live' in view ? view.live : view.shown)?.join() ?? null;
  const choose = useEffectEvent(() => {
    if (opened === null || left) return;
    if ('live' in view) {
      if ('live' in opened && opened.live.join() !== shownText) void navigate(addressOf(view), { replace: true });
    } else if (!('live' in opened) && (opened.shownIds?.join() ?? null) !== shownText) opened.choose(view.shown);
  });
  useEffect(() => {
    if (ofClock !== null) choose();
  }, [ofClock, shownText]);

  const drawn = openId === subject ? map : null;
  const mapView = JSON.stringify(view.map);
  const moveMap = useRef<ReturnType<typeof followMap> | null>(null);
  useEffect(() => {
    if (drawn === null) return;
    const followed = followMap(drawn, leave);
    moveMap.current = followed;
    return () => {
      moveMap.current = null;
      followed.stop();
    };
  }, [drawn]);
  useEffect(() => {
    if (drawn !== null) moveMap.current?.show(JSON.parse(mapView) as SharedView['map']);
  }, [drawn, mapView]);
  return null;
}

type MissionOptions = Parameters<typeof followClock>[0];

/**
 * Ignores views of the other kind: when a leader changes from a mission to the live page, the follower's page changes
 * later.
 */
function missionClock(options: MissionOptions) {
  const followed = followClock(options);
  return { ...followed, show: (view: SharedView) => 'mission' in view && followed.show(view) };
}

function liveClock(options: Omit<MissionOptions, 'sensorIds'>) {
  const followed = followLive(options);
  return { ...followed, show: (view: SharedView) => 'live' in view && followed.show(view) };
}
