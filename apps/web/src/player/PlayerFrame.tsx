import { Box } from '@mui/material';
import { type PointerEvent, type ReactNode, type RefObject, useRef } from 'react';
import { fill } from '../base/format.ts';
import { useClockState } from '../onscreen/clock/useClock.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { CrossHair } from '../ui/CrossHair.tsx';
import { toggleFullScreen } from './picture/full-screen.ts';
import { usePictureGuest } from './picture/guest.ts';
import { Picture } from './picture/Picture.tsx';
import { frameStyle } from './picture/picture-styles.ts';
import { useGroundPointer } from './picture/useGroundPointer.ts';
import { useOverlay } from './picture/useOverlay.ts';
import { texts } from './texts.ts';

type Controls = { leads: boolean; onFullScreen: () => void };

type Props = {
  sensor: { _id: string; name: string };
  /** Tells the player from the others of the page; the sensor's name where that is enough. */
  name?: string;
  /** Colour of the frame around the leading sensor. */
  colour: string;
  /** The view has several players. */
  several: boolean;
  /** The video element; null if there will be no picture. */
  video: RefObject<HTMLVideoElement | null> | null;
  /** Element in which the recording has already begun to load. */
  begun?: HTMLVideoElement | null;
  /** Content over the picture: head, foot, and a notice if there is no picture. */
  children: (controls: Controls) => ReactNode;
};

/**
 * Renders the picture of a sensor, recorded or live, with its targets, the ground point under the pointer, and a frame
 * if it is the leading sensor.
 */
export function PlayerFrame({
  sensor,
  name = sensor.name,
  colour,
  several,
  video: picture,
  begun = null,
  children,
}: Props) {
  const { clock } = useViewServices();
  const none = useRef<HTMLVideoElement>(null);
  const video = picture ?? none;
  const { leader } = useClockState(clock);
  const frame = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointer = useRef<HTMLSpanElement>(null);
  const drawn = useRef<SVGSVGElement>(null);
  const overlay = useOverlay({ sensorId: sensor._id, frame, video, canvas });
  const ground = useGroundPointer({ sensorId: sensor._id, video, label: pointer });
  const hasGuest = usePictureGuest({ sensorId: sensor._id, svg: drawn, video });
  const leads = leader === sensor._id;

  function fillScreen() {
    if (!leads) clock.lead(sensor._id);
    toggleFullScreen();
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.target !== canvas.current) return;
    if (!leads) clock.lead(sensor._id);
    overlay.choose(event);
  }

  return (
    <Box
      component="section"
      ref={frame}
      aria-label={fill(texts.player, { sensor: name })}
      data-sensor-id={sensor._id}
      onPointerDown={onPointerDown}
      onPointerEnter={ground.onMove}
      onPointerMove={ground.onMove}
      onPointerLeave={ground.onLeave}
      onDoubleClick={(event) => event.target === canvas.current && fillScreen()}
      sx={{
        ...frameStyle,
        position: 'relative',
        height: '100%',
        containerType: 'inline-size',
      }}
    >
      {picture && <Picture video={picture} begun={begun} />}
      <canvas ref={canvas} style={{ position: 'absolute', inset: 0, width: '100%', height: '100%' }} />
      {hasGuest && (
        <svg
          ref={drawn}
          aria-hidden="true"
          style={{ position: 'absolute', inset: 0, width: '100%', height: '100%', pointerEvents: 'none' }}
        />
      )}
      {picture && <CrossHair />}
      {children({ leads, onFullScreen: fillScreen })}
      <Box
        component="span"
        ref={pointer}
        aria-hidden="true"
        hidden
        sx={{
          position: 'absolute',
          top: 0,
          left: 0,
          px: 1.5,
          borderRadius: 1,
          bgcolor: 'rgb(0 0 0 / 0.72)',
          fontSize: 12,
          fontVariantNumeric: 'tabular-nums',
          pointerEvents: 'none',
          whiteSpace: 'nowrap',
          '&[hidden]': { display: 'none' },
        }}
      />
      {leads && several && (
        <Box
          sx={{ position: 'absolute', inset: 0, border: `2px solid ${colour}`, borderRadius: 1, pointerEvents: 'none' }}
        />
      )}
    </Box>
  );
}
