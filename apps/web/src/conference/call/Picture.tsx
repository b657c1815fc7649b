import { Box } from '@mui/material';
import { useEffect, useRef } from 'react';

type Props = {
  track: MediaStreamTrack;
  label: string;
  /** Mirrors the picture, as people are used to seeing themselves. */
  mirrored?: boolean;
  /** Shows the picture uncropped, as for a screen; otherwise it fills its tile, as for a face. */
  whole?: boolean;
};

/** Plays the video of one track, without sound. */
export function Picture({ track, label, mirrored = false, whole = false }: Props) {
  const ref = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const video = ref.current;
    if (video === null) return;
    video.srcObject = new MediaStream([track]);
    return () => {
      video.srcObject = null;
    };
  }, [track]);
  return (
    <Box
      component="video"
      ref={ref}
      autoPlay
      playsInline
      muted
      aria-label={label}
      sx={{
        ...{ width: '100%', height: '100%', minHeight: 0, objectFit: whole ? 'contain' : 'cover', display: 'block' },
        ...(mirrored ? { transform: 'scaleX(-1)' } : {}),
      }}
    />
  );
}

/** Plays the voice of a member, without a picture. */
export function Voice({ track }: { track: MediaStreamTrack }) {
  const ref = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const audio = ref.current;
    if (audio === null) return;
    audio.srcObject = new MediaStream([track]);
    // Some browsers require a click before they play audio; the user has clicked to join.
    void audio.play().catch(() => undefined);
    return () => {
      audio.srcObject = null;
    };
  }, [track]);
  // biome-ignore lint/a11y/useMediaCaption: a live voice has no captions
  return <audio ref={ref} autoPlay />;
}
