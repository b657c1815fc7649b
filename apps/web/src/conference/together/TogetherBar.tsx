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
import { followMap } from './follow-map.ts';
import { startLeading } from './lead.ts';
import { isTogether, openMap, openView } from './shared.ts';
import { texts } from './texts.ts';
import { isTouched, noteTouches } from './touched.ts';
import { usePointers } from './usePointers.ts';
import { useTogether } from './useTogether.ts';
import { addressOf } from './view.ts';

type Together = ReturnType<typeof useTogether>;

/** One line for each conference room that this account is in: who leads there, and what this page does about it. */
export function TogetherBar() {
  const together = useTogether();
  const looks = together.rooms.some(({ page }) => page !== 'neither');
  useEffect(() => {
    isTogether.set(looks);
    return () => isTogether.set(false);
  }, [looks]);
  return together.rooms.map((room) => <RoomBar key={room._id} room={room} together={together} />);
}

function RoomBar({ room, together }: { room: TogetherRoom; together: Together }) {
  const { wish, shown } = together;
  const { _id, page, leader, refused } = room;
  const view = shown?.room === _id ? shown.view : null;
  const own = useSyncExternalStore(openView.subscribe, openView.get);
  const mission = page === 'leads' ? (own?.missionId ?? null) : (view?.mission ?? null);
  const looks = mission !== null && refused === null && page !== 'neither';
  const phone = useMediaQuery('(max-width: 599.95px)');
  const pointing = usePointers({ room: _id, mission: looks ? mission : null });

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
        {sentenceOf(room, { view, hasMission: own !== null })}
      </Box>
      {!phone && <LabelMark label={room.securityClassification} />}
      <Box sx={{ ml: 'auto', display: 'flex', flex: 'none', gap: 1 }}>
        {looks && (
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

type Seen = { view: SharedView | null; hasMission: boolean };

function sentenceOf({ name, leader, page, refused, securityClassification }: TogetherRoom, seen: Seen): string {
  const words = { room: name, leader: leader ?? '' };
  if (refused !== null) return fill(texts.refused, { ...words, label: securityClassification, mission: refused });
  if (page === 'leads') return fill(seen.hasMission ? texts.leading : texts.leadingNothing, words);
  if (leader === null) return fill(page === 'follows' ? texts.noLeader : texts.nobody, words);
  if (page === 'neither') return fill(texts.others, words);
  return fill(seen.view === null ? texts.notFollowing : texts.following, words);
}

/** Sends the view of this page to the room. */
function Leading({ room, say }: { room: string; say: Together['say'] }) {
  useEffect(() => startLeading((view) => say('TogetherShow', { room, view })), [room, say]);
  return null;
}

/** Moves this page to the leader's view, until its user goes another way. */
function Following({ view, onOwnWay }: { view: SharedView; onOwnWay: () => void }) {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { show } = useSnackbar();
  const open = useSyncExternalStore(openView.subscribe, openView.get);
  const map = useSyncExternalStore(openMap.subscribe, openMap.get);
  const arrived = useRef<string | null>(null);
  const [left, setLeft] = useState(false);
  const clock = useRef<ReturnType<typeof followClock> | null>(null);
  const leave = useEffectEvent(() => {
    if (left) return;
    setLeft(true);
    show(texts.ownWay, 'info');
    onOwnWay();
  });
  const { mission } = view;
  const openId = open?.missionId ?? null;

  useEffect(() => noteTouches(), []);

  const go = useEffectEvent(() => {
    const isComing = pathname === '/missions' && new URLSearchParams(search).get('mission') === mission;
    if (!isComing) void navigate(addressOf(view));
  });
  useEffect(() => {
    if (openId === mission) arrived.current = mission;
    else if (arrived.current === mission && isTouched()) leave();
    else go();
  }, [mission, openId]);

  const opened = openId === mission ? open : null;
  const [ids, ofClock] = [opened?.sensorIds.join() ?? '', opened?.clock ?? null];
  useEffect(() => {
    if (ofClock === null) return;
    const followed = followClock({ clock: ofClock, sensorIds: ids.split(','), isTouched, onOwnWay: leave });
    clock.current = followed;
    return () => {
      clock.current = null;
      followed.stop();
    };
  }, [ofClock, ids]);
  useEffect(() => {
    if (ofClock !== null && !left) clock.current?.show(view);
  }, [ofClock, ids, view, left]);

  const shownText = view.shown?.join() ?? null;
  const choose = useEffectEvent(() => {
    if (opened !== null && (opened.shownIds?.join() ?? null) !== shownText) opened.choose(view.shown);
  });
  useEffect(() => {
    if (ofClock !== null) choose();
  }, [ofClock, shownText]);

  const drawn = openId === mission ? map : null;
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
