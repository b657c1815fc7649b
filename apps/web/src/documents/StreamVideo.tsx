import { mdiFileQuestionOutline } from '@mdi/js';
import { useEffect, useRef, useState } from 'react';
import { takeHls } from '../player/hls/hls-source.ts';
import { Notice } from '../ui/notice/Notice.tsx';
import { texts } from './texts.ts';

/**
 * Style of a video that fills the panel. The focus ring is drawn inside the video, since the panel clips everything
 * around it.
 */
export const FILLS = { width: '100%', height: '100%', outlineOffset: -2 } as const;

/**
 * Plays a transport stream, which is read by byte ranges of the original file. Shows a message if this browser cannot
 * play it.
 */
export function StreamVideo({ documentId, label }: { documentId: string; label: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    const source = takeHls(`/api/documents/${documentId}/video.m3u8`);
    source.play({
      video: element,
      startPosition: 0,
      onZero: () => undefined,
      onFailure: () => setFailed(true),
      onSkip: (to) => {
        element.currentTime = to;
        element.play().catch(() => undefined);
      },
    });
    return source.end;
  }, [documentId]);

  if (failed) {
    return <Notice icon={mdiFileQuestionOutline} title={texts.viewer.unplayable} text={texts.viewer.noneHint} />;
  }
  // biome-ignore lint/a11y/useMediaCaption: recordings of people have none
  return <video ref={video} controls aria-label={label} style={FILLS} />;
}
