import { mdiArrowCollapse, mdiArrowExpand, mdiSwapHorizontal, mdiVolumeHigh, mdiVolumeOff } from '@mdi/js';
import { Box } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { fill, formatNumber } from '../base/format.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useFullScreen } from './picture/full-screen.ts';
import { barStyle, cutStyle, headStyle } from './picture/picture-styles.ts';
import { texts } from './texts.ts';

type Props = {
  sensor: { _id: string; name: string };
  /** Platform and label of the mission. */
  of: { platform: string; label: Classification; marked: boolean };
  colour: string;
  leads: boolean;
  several: boolean;
  /** The video element; null if there will be no picture, and so no sound. */
  video: RefObject<HTMLVideoElement | null> | null;
  onFullScreen: () => void;
  /** Content before the buttons: the format of a recording, or how far a live picture is behind. */
  children: ReactNode;
};

const overVideo = { color: 'inherit', '&:hover': { bgcolor: 'rgb(255 255 255 / 0.16)' } } as const;

/** Head of the picture: its sensor and platform, its label, its format, and its buttons. */
export function PlayerHead({ sensor, of, colour, leads, several, video, onFullScreen, children }: Props) {
  const { clock } = useViewServices();
  const { muted, hasSound, toggle } = useSound(video);
  const isFull = useFullScreen().on;
  return (
    <Box
      sx={{
        ...headStyle,
        pointerEvents: 'none',
        '& > *': { pointerEvents: 'auto' },
      }}
    >
      <Box sx={{ ...barStyle, bgcolor: colour }} />
      <Box component="span" title={sensor.name} sx={{ ...cutStyle, fontWeight: 600 }}>
        {sensor.name}
      </Box>
      <Box
        component="span"
        sx={{
          ...cutStyle,
          opacity: 0.85,
          '@container (max-width: 420px)': { display: 'none' },
        }}
      >
        {of.platform}
      </Box>
      <Box component="span" sx={{ flex: 'none' }}>
        <LabelMark label={of.label} marked={of.marked} look="solid" />
      </Box>
      <Box sx={{ flex: 1 }} />
      {children}
      <Box sx={{ display: 'flex' }}>
        {several && !leads && (
          <Action
            label={fill(texts.lead, { sensor: sensor.name })}
            icon={mdiSwapHorizontal}
            onClick={() => clock.lead(sensor._id)}
            sx={overVideo}
          />
        )}
        {hasSound && (
          <Action
            label={muted ? texts.soundOn : texts.soundOff}
            icon={muted ? mdiVolumeOff : mdiVolumeHigh}
            onClick={toggle}
            sx={overVideo}
          />
        )}
        <Action
          label={isFull ? texts.leaveFullScreen : texts.fullScreen}
          icon={isFull ? mdiArrowCollapse : mdiArrowExpand}
          onClick={onFullScreen}
          sx={overVideo}
        />
      </Box>
    </Box>
  );
}

type Picture = { width: number; height: number; frameRate: number | null };

/** Size and frame rate of the picture, shown if there is room. */
export function PictureFormat({ picture }: { picture: Picture | null | undefined }) {
  if (!picture) return null;
  const { width, height, frameRate } = picture;
  const rate =
    frameRate === null ? '' : fill(texts.rate, { rate: formatNumber(frameRate, frameRate % 1 === 0 ? 0 : 2) });
  return (
    <Box component="span" sx={{ opacity: 0.9, '@container (max-width: 520px)': { display: 'none' } }}>
      {fill(texts.format, { width, height, rate })}
    </Box>
  );
}

/**
 * State of the sound. A recording is known to have sound only after some of it was decoded; Chromium and Firefox have
 * different properties for that.
 */
function useSound(video: RefObject<HTMLVideoElement | null> | null) {
  const [muted, setMuted] = useState(true);
  const [hasSound, setHasSound] = useState(false);
  useEffect(() => {
    const element = video?.current;
    const look = () => {
      const withSound = element as
        | (HTMLVideoElement & { webkitAudioDecodedByteCount?: number; mozHasAudio?: boolean })
        | null;
      setHasSound((withSound?.webkitAudioDecodedByteCount ?? 0) > 0 || withSound?.mozHasAudio === true);
    };
    // Sound can be switched by a key too.
    const onVolume = () => setMuted(element?.muted ?? true);
    element?.addEventListener('timeupdate', look);
    element?.addEventListener('volumechange', onVolume);
    return () => {
      element?.removeEventListener('timeupdate', look);
      element?.removeEventListener('volumechange', onVolume);
    };
  }, [video]);
  const toggle = () => {
    if (video?.current) video.current.muted = !muted;
  };
  return { muted, hasSound, toggle };
}
