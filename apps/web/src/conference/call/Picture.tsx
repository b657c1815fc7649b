import { Box } from '@mui/material';
import { useEffect, useRef } from 'react';

type Props = {
  track: MediaStreamTrack;
  label: string;
  /** As in a mirror: how people know themselves. */
  mirrored?: boolean;
  /** A screen is shown whole, a face fills its tile. */
  whole?: boolean;
};

/** The pictures of one track, without sound. */
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

/** The voice of a member, without a picture. */
export function Voice({ track }: { track: MediaStreamTrack }) {
  const ref = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const audio = ref.current;
    if (audio === null) return;
    audio.srcObject = new MediaStream([track]);
    // Where the browser waits for a press first, one has joined by a press.
    void audio.play().catch(() => undefined);
    return () => {
      audio.srcObject = null;
    };
  }, [track]);
  // biome-ignore lint/a11y/useMediaCaption: a live voice has no captions
  return <audio ref={ref} autoPlay />;
}
