import { mdiVolumeHigh } from '@mdi/js';
import { Alert, Box, Button, LinearProgress, MenuItem, Stack, Typography } from '@mui/material';
import type { Room } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { Field } from '../../ui/fields/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { CallFrame } from './CallFrame.tsx';
import { type Device, type DeviceKind, listDevices, type Opened, openDevice, playTone, soundMeter } from './devices.ts';
import { Picture } from './Picture.tsx';
import { texts } from './texts.ts';

export type Chosen = Record<DeviceKind, MediaStreamTrack | null>;

const NONE = 'none';
const USUAL = 'usual';
const notOpened: Opened = { track: null, failure: null };

type Choice = {
  opened: Opened;
  /** True while the device is being opened; the browser may be asking the user for permission. */
  isOpening: boolean;
  devices: Device[];
  chosen: string;
  choose: (id: string) => void;
  take: () => void;
};

/** Opens one device while the lobby is shown. It is closed with the lobby, unless the call takes it over. */
function useDevice(kind: DeviceKind): Choice {
  const [chosen, choose] = useState(USUAL);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState(notOpened);
  const [isOpening, setOpening] = useState(true);
  const [devices, setDevices] = useState<Device[]>([]);
  const taken = useRef(false);

  useEffect(() => {
    let current: Opened | null = null;
    let left = false;
    if (chosen !== NONE) {
      void openDevice(kind, chosen === USUAL ? null : chosen).then(async (now) => {
        if (left) return now.track?.stop();
        current = now;
        setOpened(now);
        setOpening(false);
        setDevices(await listDevices(kind));
      });
    }
    return () => {
      left = true;
      if (!taken.current) current?.track?.stop();
    };
  }, [kind, chosen, attempt]);

  return {
    opened,
    isOpening,
    devices,
    chosen,
    choose: (id) => {
      choose(id);
      setOpening(id !== NONE);
      setOpened(notOpened);
      setAttempt((before) => before + 1);
    },
    take: () => {
      taken.current = true;
    },
  };
}

/** Lobby in which devices are chosen and tested before other members can see or hear the user. */
export function Lobby({ room, onJoin }: { room: Room; onJoin: (chosen: Chosen) => void }) {
  const sound = useDevice('sound');
  const camera = useDevice('camera');
  const words = texts.lobby;

  function join() {
    sound.take();
    camera.take();
    onJoin({ sound: sound.opened.track, camera: camera.opened.track });
  }

  return (
    <CallFrame label={room.securityClassification} title={room.name}>
      <Box sx={{ flex: 1, overflow: 'auto', display: 'grid', placeContent: 'safe center', p: 4 }}>
        <Stack spacing={4} sx={{ width: 'min(480px, calc(100vw - 32px))' }}>
          <Typography variant="h2">{words.title}</Typography>
          <Box
            sx={{
              ...{ aspectRatio: '16 / 9', borderRadius: 2, overflow: 'hidden', bgcolor: 'surface.raised' },
              ...{ display: 'grid', placeContent: 'center' },
            }}
          >
            {camera.opened.track === null ? (
              <Typography sx={{ color: 'text.secondary' }}>{words.off}</Typography>
            ) : (
              <Picture track={camera.opened.track} label={words.preview} mirrored />
            )}
          </Box>
          <DeviceChoice kind="camera" choice={camera} />
          <DeviceChoice kind="sound" choice={sound} />
          {sound.opened.track !== null && <Level track={sound.opened.track} />}
          <Stack direction="row" spacing={2} sx={{ justifyContent: 'space-between' }}>
            <Button startIcon={<Icon path={mdiVolumeHigh} />} onClick={playTone}>
              {words.tone}
            </Button>
            <Button variant="contained" color="primary" disabled={sound.isOpening || camera.isOpening} onClick={join}>
              {words.join}
            </Button>
          </Stack>
        </Stack>
      </Box>
    </CallFrame>
  );
}

function DeviceChoice({ kind, choice }: { kind: DeviceKind; choice: Choice }) {
  const { opened, devices, chosen, choose } = choice;
  const words = texts.devices;
  return (
    <>
      <Field select label={words[kind]} value={chosen} onChange={(event) => choose(event.target.value)}>
        <MenuItem value={USUAL}>{words.usual}</MenuItem>
        {devices.map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
        <MenuItem value={NONE}>{words.none}</MenuItem>
      </Field>
      {opened.failure !== null && (
        <Alert
          severity="warning"
          action={
            <Button size="small" color="inherit" onClick={() => choose(chosen)}>
              {words.again}
            </Button>
          }
        >
          {opened.failure}
        </Alert>
      )}
    </>
  );
}

function Level({ track }: { track: MediaStreamTrack }) {
  const [level, setLevel] = useState(0);
  useEffect(() => soundMeter(track, setLevel), [track]);
  const words = texts.lobby;
  return (
    <Box>
      <LinearProgress
        variant="determinate"
        value={level * 100}
        aria-label={words.level}
        sx={{ height: 8, borderRadius: 1, '& .MuiLinearProgress-bar': { transitionDuration: '100ms' } }}
      />
      <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
        {words.levelHelp}
      </Typography>
    </Box>
  );
}
