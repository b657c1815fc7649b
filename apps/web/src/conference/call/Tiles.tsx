import { mdiHandBackLeft, mdiMicrophoneOff } from '@mdi/js';
import { Box, Typography } from '@mui/material';
import { useEffect, useState } from 'react';
import { fill } from '../../base/format.ts';
import { unseen } from '../../base/sizes.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Call, CallView, Person } from './call.ts';
import { soundMeter } from './devices.ts';
import { Picture, Voice } from './Picture.tsx';
import type { Tracks } from './peer.ts';
import { texts } from './texts.ts';

const SPEAKING_MS = 200;
/** Minimum level of the meter (0 to 1) that counts as loud. */
const LOUD = 0.1;
const words = texts.call;

type Props = {
  call: Call;
  view: CallView;
  own: Tracks;
  ownScreen: MediaStreamTrack | null;
  /** Shows the tiles as a single row of small tiles above other content. */
  strip: boolean;
};

const STRIP_TILE_PX = 104;

/** Shows a tile for each person. Shared screens take the remaining space. */
export function Tiles({ call, view, own, ownScreen, strip }: Props) {
  const speaking = useSpeaking(call);
  const loud = useLoud(own.sound);
  const { people } = view;
  const screens = people.flatMap(({ id, name, screen }) => (screen === null ? [] : [{ id, name, track: screen }]));
  if (ownScreen !== null) screens.push({ id: 'own', name: call.username, track: ownScreen });
  const hasScreens = screens.length > 0;

  return (
    <Box
      sx={{
        ...{ flex: 1, minWidth: 0, minHeight: 0, display: 'flex', gap: 2, p: strip ? 1 : 2 },
        ...(strip ? { overflowX: 'auto', alignItems: 'center' } : { flexDirection: 'column' }),
      }}
    >
      {screens.map(({ id, name, track }) => (
        <Box
          key={id}
          sx={{
            ...{ position: 'relative', minHeight: 0, bgcolor: '#000', borderRadius: 2 },
            ...(strip ? { width: STRIP_TILE_PX, aspectRatio: '16 / 9', flex: 'none' } : { flex: 1 }),
          }}
        >
          <Picture track={track} label={fill(words.screenOf, { name })} whole />
          <Name small={strip}>{fill(words.screenOf, { name })}</Name>
        </Box>
      ))}
      <Box
        component="ul"
        aria-label={words.people}
        sx={{
          ...{ m: 0, p: 0, listStyle: 'none', gap: 2, minHeight: 0 },
          ...(hasScreens || strip
            ? {
                ...{ display: 'flex', flex: 'none', overflowX: strip ? 'visible' : 'auto' },
                '& > li': { width: strip ? STRIP_TILE_PX : 200, flex: 'none' },
              }
            : {
                ...{ display: 'grid', flex: 1, alignContent: 'center', overflowY: 'auto' },
                gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))',
              }),
        }}
      >
        <Tile
          name={fill(words.you, { name: call.username })}
          camera={own.camera}
          mirrored
          muted={!view.own.sound}
          hand={view.own.hand}
          speaks={loud && view.own.sound}
          small={strip}
        />
        {people.map((person) => (
          <Other key={person.id} person={person} speaks={speaking.includes(person.id)} small={strip} />
        ))}
      </Box>
      {people.length === 0 && (
        <Typography role="status" sx={{ textAlign: strip ? 'start' : 'center', color: 'text.secondary' }}>
          {words.alone}
        </Typography>
      )}
    </Box>
  );
}

function Other({ person, speaks, small }: { person: Person; speaks: boolean; small: boolean }) {
  const { name, camera, sound, state, line } = person;
  return (
    <Tile
      name={name}
      camera={camera}
      muted={line === 'up' && !state.sound}
      hand={state.hand}
      speaks={speaks && state.sound}
      line={line}
      voice={sound}
      small={small}
    />
  );
}

type TileProps = {
  name: string;
  camera: MediaStreamTrack | null;
  mirrored?: boolean;
  muted: boolean;
  hand: boolean;
  speaks: boolean;
  line?: Person['line'];
  voice?: MediaStreamTrack | null;
  small: boolean;
};

function Tile({ name, camera, mirrored = false, muted, hand, speaks, line = 'up', voice = null, small }: TileProps) {
  const disc = small ? 28 : 64;
  return (
    <Box
      component="li"
      sx={{
        ...{ position: 'relative', aspectRatio: '16 / 9', maxHeight: '100%', borderRadius: 2, overflow: 'hidden' },
        ...{ display: 'grid', placeContent: 'center', bgcolor: 'surface.raised' },
        ...{ outline: '3px solid', outlineColor: speaks ? 'var(--mui-palette-primary-main)' : 'transparent' },
        outlineOffset: '-3px',
      }}
    >
      {camera === null ? (
        <Box
          aria-hidden="true"
          sx={{
            ...{ width: disc, height: disc, borderRadius: '50%', display: 'grid', placeContent: 'center' },
            ...{ bgcolor: 'surface.selected', fontSize: small ? 14 : 24, fontWeight: 600, mb: small ? 3 : 0 },
          }}
        >
          {initialsOf(name)}
        </Box>
      ) : (
        <Box sx={{ position: 'absolute', inset: 0 }}>
          <Picture track={camera} label={name} mirrored={mirrored} />
        </Box>
      )}
      {voice !== null && <Voice track={voice} />}
      <Name small={small}>
        {muted && (
          <Box component="span" role="img" aria-label={words.mutedPerson} sx={{ display: 'flex' }}>
            <Icon path={mdiMicrophoneOff} />
          </Box>
        )}
        {hand && (
          <Box component="span" role="img" aria-label={words.hand} sx={{ display: 'flex', color: 'warning.main' }}>
            <Icon path={mdiHandBackLeft} />
          </Box>
        )}
        {name}
        {line !== 'up' && ` (${line === 'lost' ? words.lost : words.coming})`}
        {speaks && (
          <Box component="span" sx={unseen}>
            {fill(words.speaks, { name })}
          </Box>
        )}
      </Name>
    </Box>
  );
}

function Name({ small, children }: { small: boolean; children: React.ReactNode }) {
  const edge = small ? 2 : 8;
  return (
    <Box
      sx={{
        ...{ position: 'absolute', left: edge, bottom: edge, maxWidth: `calc(100% - ${2 * edge}px)` },
        ...{ px: small ? 1 : 2, py: small ? 0 : 1, borderRadius: 1 },
        ...{ display: 'flex', alignItems: 'center', gap: 1, fontSize: small ? 11 : 12, lineHeight: '16px' },
        ...(small ? { maxHeight: 18, overflow: 'hidden' } : {}),
        ...{ bgcolor: 'rgb(0 0 0 / 70%)', color: '#fff', overflowWrap: 'anywhere' },
      }}
    >
      {children}
    </Box>
  );
}

const initialsOf = (name: string): string => (name.trim()[0] ?? '?').toUpperCase();

function useSpeaking(call: Call): readonly string[] {
  const [speaking, setSpeaking] = useState<readonly string[]>([]);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = call.speaking();
      setSpeaking((before) => (before.join() === now.join() ? before : now));
    }, SPEAKING_MS);
    return () => clearInterval(timer);
  }, [call]);
  return speaking;
}

function useLoud(track: MediaStreamTrack | null): boolean {
  const [loud, setLoud] = useState(false);
  useEffect(() => {
    if (track === null) return setLoud(false);
    return soundMeter(track, (level) => setLoud(level > LOUD));
  }, [track]);
  return loud;
}
