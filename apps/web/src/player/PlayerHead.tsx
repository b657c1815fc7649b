import { mdiArrowCollapse, mdiArrowExpand, mdiSwapHorizontal, mdiVolumeHigh, mdiVolumeOff } from '@mdi/js';
import { Box } from '@mui/material';
import type { Classification } from '@osprey/contract';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { fill, formatNumber } from '../base/format.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useFullScreen } from './picture/full-screen.ts';
import { barStyle, headStyle } from './picture/picture-styles.ts';
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
  /**
   * Content between label and buttons: the format of a recording, or how far a live picture is behind. If not all of it
   * fits, the last elements are left out first.
   */
  children: ReactNode;
  /** First button. Buttons are never left out. */
  menu?: ReactNode;
};

/**
 * Line with platform, label and the marks to the right of them. Elements that do not fit wrap into a second line, which is
 * hidden: the last ones are left out first, and the name of the platform is cut only if no mark is left in the line.
 */
const lineStyle = {
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  columnGap: '8px',
  flex: '1 1 0',
  minWidth: 'min-content',
  height: '28px',
  overflow: 'clip',
  pointerEvents: 'none',
  '& > *': { pointerEvents: 'auto' },
} as const;

/** One line of text with an ellipsis, whose minimum width is that of one letter. */
const lastCutStyle = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 1,
  overflow: 'hidden',
  whiteSpace: 'normal',
  wordBreak: 'break-all',
} as const;

const overVideo = { color: 'inherit', '&:hover': { bgcolor: 'rgb(255 255 255 / 0.16)' } } as const;

/** Head of the picture: its sensor and platform, its label, its format, and its buttons. */
export function PlayerHead({ sensor, of, colour, leads, several, video, onFullScreen, children, menu }: Props) {
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
      <Box
        component="span"
        data-part="sensor-name"
        title={sensor.name}
        sx={{ ...lastCutStyle, WebkitLineClamp: 2, wordBreak: 'normal', overflowWrap: 'anywhere', fontWeight: 600 }}
      >
        {sensor.name}
      </Box>
      <Box data-part="player-line" sx={lineStyle}>
        <Box sx={{ display: 'flex', gap: '8px', minWidth: 0, mr: 'auto' }}>
          <Box component="span" data-part="platform-name" title={of.platform} sx={{ ...lastCutStyle, opacity: 0.85 }}>
            {of.platform}
          </Box>
          <Box component="span" sx={{ flex: 'none' }}>
            <LabelMark label={of.label} marked={of.marked} look="solid" />
          </Box>
        </Box>
        {children}
      </Box>
      <Box sx={{ display: 'flex', flex: 'none' }}>
        {menu}
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
    <Box component="span" sx={{ opacity: 0.9 }}>
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
    const checkSound = () => {
      const withSound = element as
        | (HTMLVideoElement & { webkitAudioDecodedByteCount?: number; mozHasAudio?: boolean })
        | null;
      setHasSound((withSound?.webkitAudioDecodedByteCount ?? 0) > 0 || withSound?.mozHasAudio === true);
    };
    // Sound can be switched by a key too.
    const onVolume = () => setMuted(element?.muted ?? true);
    element?.addEventListener('timeupdate', checkSound);
    element?.addEventListener('volumechange', onVolume);
    return () => {
      element?.removeEventListener('timeupdate', checkSound);
      element?.removeEventListener('volumechange', onVolume);
    };
  }, [video]);
  const toggle = () => {
    if (video?.current) video.current.muted = !muted;
  };
  return { muted, hasSound, toggle };
}
