import {
  mdiAccountGroup,
  mdiChat,
  mdiHandBackLeft,
  mdiMicrophone,
  mdiMicrophoneOff,
  mdiMonitorShare,
  mdiMovieOpenOutline,
  mdiPhoneHangup,
  mdiVideo,
  mdiVideoOff,
} from '@mdi/js';
import { Alert, Badge, Box, Button, Tooltip, Typography, useMediaQuery } from '@mui/material';
import type { Room } from '@osprey/contract';
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { fill } from '../../base/format.ts';
import { unseen } from '../../base/sizes.ts';
import { Action } from '../../ui/Action.tsx';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { CallFrame } from './CallFrame.tsx';
import { ChatPanel } from './ChatPanel.tsx';
import type { Call, CallView } from './call.ts';
import { openDevice } from './devices.ts';
import { Tiles } from './Tiles.tsx';
import { texts } from './texts.ts';
import { useScreenSharing } from './useScreenSharing.ts';

const words = texts.call;

export function InCall({ call, room, onAgain }: { call: Call; room: Room; onAgain: () => void }) {
  const view = useSyncExternalStore(call.subscribe, call.view);
  const { phase } = view;
  if (phase.name === 'over')
    return <Over text={phase.text} mayReturn={phase.mayReturn} room={room} onAgain={onAgain} />;
  return <Running call={call} view={view} room={room} />;
}

type OverProps = { text: string; mayReturn: boolean; room: Room; onAgain: () => void };

function Over({ text, mayReturn, room, onAgain }: OverProps) {
  return (
    <CallFrame label={room.securityClassification} title={room.name}>
      <Box sx={{ flex: 1, display: 'grid', placeContent: 'center', justifyItems: 'center', gap: 4, p: 6 }}>
        <Typography role="alert" sx={{ textAlign: 'center' }}>
          {text === '' ? texts.over.left : text}
        </Typography>
        <Box sx={{ display: 'flex', gap: 2 }}>
          {mayReturn && (
            <Button variant="contained" color="primary" onClick={onAgain}>
              {texts.over.again}
            </Button>
          )}
          <Button onClick={() => window.close()}>{texts.over.close}</Button>
        </Box>
      </Box>
    </CallFrame>
  );
}

/** Returns the user's own tracks, which end with the call. */
function useOwnDevices(call: Call, onWord: (text: string) => void) {
  const [tracks, setTracks] = useState(call.tracks);
  useEffect(
    () => () => {
      for (const track of Object.values(call.tracks())) track?.stop();
    },
    [call],
  );

  async function open(kind: 'sound' | 'camera'): Promise<void> {
    const { track, failure } = await openDevice(kind, null);
    if (failure !== null) onWord(failure);
    if (track !== null) {
      call.setTracks({ [kind]: track });
      setTracks(call.tracks());
    }
  }

  return {
    tracks,
    toggleSound(): void {
      const { sound } = call.tracks();
      if (sound === null) return void open('sound');
      sound.enabled = !sound.enabled;
      call.refreshOwn();
    },
    toggleCamera(): void {
      const { camera } = call.tracks();
      if (camera === null) return void open('camera');
      // The track is ended rather than muted, so that the light of the camera goes off.
      camera.stop();
      call.setTracks({ camera: null });
      setTracks(call.tracks());
    },
  };
}

/**
 * Media query for a phone. A phone has room for only one page, so the missions are shown in it, below the call. This
 * requires https: over plain http, browsers do not report which page frames another.
 */
const PHONE = '(max-width: 599.95px)';

function Running({ call, view, room }: { call: Call; view: CallView; room: Room }) {
  const { show } = useSnackbar();
  const warn = useCallback((text: string) => show(text, 'warning'), [show]);
  const { own } = view;
  const phone = useMediaQuery(PHONE) && window.isSecureContext && view.page === null;
  const [wantsMissions, setWantsMissions] = useState(true);
  const strip = phone && wantsMissions;
  const chatButton = useRef<HTMLButtonElement>(null);
  const [chatOpen, setChatOpen] = useState(false);
  const [read, setRead] = useState(0);
  const [asking, setAsking] = useState(false);
  const devices = useOwnDevices(call, warn);
  const label = view.room?.securityClassification ?? room.securityClassification;
  const screen = useScreenSharing(call, label, warn);
  const newest = view.chat.at(-1)?.number ?? 0;
  const unread = chatOpen ? 0 : view.chat.filter(({ number, own: mine }) => number > read && !mine).length;

  function toggleChat() {
    setRead(newest);
    setChatOpen(!chatOpen);
    // The chat field that had the focus disappears, so the focus moves to the button.
    if (chatOpen) chatButton.current?.focus();
  }

  function toggleScreen() {
    if (screen.track !== null) screen.end();
    else if (screen.refusal !== null) warn(screen.refusal);
    else setAsking(true);
  }

  return (
    <CallFrame
      label={label}
      title={room.name}
      compact={strip}
      right={view.phrase !== null && <Phrase phrase={view.phrase} />}
    >
      <Comings view={view} />
      {view.phase.name === 'again' && (
        <Alert severity="warning" role="status">
          {words.again} {view.phase.text}
        </Alert>
      )}
      <Box
        sx={{
          ...{ flex: strip ? 'none' : 1, minHeight: 0, display: 'flex' },
          flexDirection: { xs: 'column', md: 'row' },
        }}
      >
        {view.page !== null && <SitePage call={call} />}
        <Tiles call={call} view={view} own={devices.tracks} ownScreen={screen.track} strip={strip} />
        {chatOpen && !strip && <ChatPanel lines={view.chat} onSay={call.say} onClose={toggleChat} fills={false} />}
      </Box>
      <Box
        role="toolbar"
        aria-label={texts.title}
        sx={{
          ...{ display: 'flex', justifyContent: 'center', flexWrap: 'wrap', gap: strip ? 1 : 2, flex: 'none' },
          ...{ p: strip ? 1 : 2, borderTop: 1, borderColor: 'divider', bgcolor: 'surface.panel' },
          ...(strip ? { borderBottom: 1 } : {}),
        }}
      >
        <Action
          side="top"
          label={own.sound ? words.mute : words.unmute}
          icon={own.sound ? mdiMicrophone : mdiMicrophoneOff}
          on={own.sound}
          onClick={devices.toggleSound}
        />
        <Action
          side="top"
          label={own.camera ? words.cameraOff : words.cameraOn}
          icon={own.camera ? mdiVideo : mdiVideoOff}
          on={own.camera}
          onClick={devices.toggleCamera}
        />
        {!(phone && !canShareScreens()) && (
          <Action
            side="top"
            label={screen.track === null ? words.share : words.unshare}
            icon={mdiMonitorShare}
            on={screen.track !== null}
            onClick={toggleScreen}
          />
        )}
        <Action
          side="top"
          label={own.hand ? words.lower : words.raise}
          icon={mdiHandBackLeft}
          on={own.hand}
          onClick={() => call.setHand(!own.hand)}
        />
        <Badge color="primary" badgeContent={unread} overlap="circular">
          <Action ref={chatButton} side="top" label={words.chat} icon={mdiChat} on={chatOpen} onClick={toggleChat} />
        </Badge>
        {phone && (
          <Action
            side="top"
            label={strip ? words.whole : words.missions}
            icon={strip ? mdiAccountGroup : mdiMovieOpenOutline}
            onClick={() => setWantsMissions(!strip)}
          />
        )}
        <Action
          side="top"
          label={words.leave}
          icon={mdiPhoneHangup}
          onClick={() => call.leave()}
          sx={{ bgcolor: 'error.main', color: 'error.contrastText', '&:hover': { bgcolor: 'error.dark' } }}
        />
      </Box>
      {chatOpen && strip && <ChatPanel lines={view.chat} onSay={call.say} onClose={toggleChat} fills />}
      {phone && (
        <Box
          component="iframe"
          title={words.missionsFrame}
          src="/missions"
          sx={{ flex: 1, minHeight: 0, border: 0, display: strip && !chatOpen ? 'block' : 'none' }}
        />
      )}
      {asking && (
        <ConfirmDialog
          title={texts.sharing.title}
          mark={<LabelMark label={label} />}
          confirmText={texts.sharing.confirm}
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void screen.begin();
          }}
        >
          {fill(texts.sharing.text, { label })}
        </ConfirmDialog>
      )}
    </CallFrame>
  );
}

/** Phone browsers cannot share the screen. */
const canShareScreens = (): boolean => 'getDisplayMedia' in (navigator.mediaDevices ?? {});

/** Announces to screen readers who has joined or left. */
function Comings({ view }: { view: CallView }) {
  const [said, setSaid] = useState('');
  const before = useRef(view.people);
  useEffect(() => {
    const idsOf = (people: CallView['people']) => new Set(people.map(({ id }) => id));
    const [was, is] = [idsOf(before.current), idsOf(view.people)];
    const came = view.people.filter(({ id }) => !was.has(id)).map(({ name }) => fill(words.newcomer, { name }));
    const went = before.current.filter(({ id }) => !is.has(id)).map(({ name }) => fill(words.gone, { name }));
    before.current = view.people;
    if (came.length + went.length > 0) setSaid([...came, ...went].join('. '));
  }, [view.people]);
  return (
    <Box role="status" sx={unseen}>
      {said}
    </Box>
  );
}

/** Button that opens the conference page of the site in a separate window, which is closed together with this page. */
function SitePage({ call }: { call: Call }) {
  const opened = useRef<Window | null>(null);
  const { show } = useSnackbar();
  useEffect(() => () => opened.current?.close(), []);

  function open() {
    const address = call.addressOfPage();
    if (address === null) return show(texts.page.again, 'info');
    opened.current = window.open(address, 'osprey-conference-page');
    if (opened.current === null) show(texts.page.blocked, 'error');
  }

  return (
    <Box sx={{ p: 4, display: 'grid', alignContent: 'center', gap: 3, maxWidth: 360 }}>
      <Typography>{texts.page.text}</Typography>
      <Button variant="contained" color="primary" onClick={open}>
        {texts.page.open}
      </Button>
    </Box>
  );
}

function Phrase({ phrase }: { phrase: string }) {
  const { title, help } = texts.phrase;
  return (
    <Tooltip title={help}>
      <Box
        tabIndex={0}
        role="note"
        aria-label={`${title}: ${phrase}. ${help}`}
        sx={{ minWidth: 0, fontSize: 12, color: 'text.secondary', overflow: 'hidden', textOverflow: 'ellipsis' }}
      >
        <Box component="span" sx={{ display: { xs: 'none', md: 'inline' }, mr: 2 }}>
          {title}
        </Box>
        <Box component="span" sx={{ fontFamily: 'monospace', color: 'text.primary' }}>
          {phrase}
        </Box>
      </Box>
    </Tooltip>
  );
}
