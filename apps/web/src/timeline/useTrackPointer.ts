import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { size } from '../base/sizes.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { type Grabbed, panBy, type Span, spanBetween, timeAt, zoomAround } from './scale.ts';

/** Maximum movement of a press that counts as a click, in px. */
const CLICK_PX = 4;

/** Zoom factor per unit of the wheel event's `deltaY`. */
const WHEEL_RATE = 1.0018;

export type Hover = { x: number; y: number; timeUs: number };

type Options = {
  track: RefObject<HTMLDivElement | null>;
  /** Element that contains the track and everything over it, so that the wheel works everywhere in it. */
  area: RefObject<HTMLDivElement | null>;
  now: RefObject<{ span: Span; fullSpan: Span }>;
  setSpan: (span: Span) => void;
  /** If true, dragging scrubs everywhere, as for fingers; otherwise it scrubs on the ruler and pans on the rows. */
  scrubs: boolean;
  /**
   * Called with the two moments between which the pointer was dragged with Shift held, in any order. If omitted, such a
   * drag pans.
   */
  select?: ((oneUs: number, otherUs: number) => void) | undefined;
};

type Press = { startX: number; startUs: number; span: Span; moved: boolean; scrubbing: boolean; selecting: boolean };

/**
 * Handles the pointer on the track: the wheel and two fingers zoom, dragging pans, dragging with Shift selects, a click
 * seeks, the ruler scrubs, and hovering shows the time.
 */
export function useTrackPointer({ track, area, now, setSpan, scrubs, select }: Options) {
  const { clock } = useViewServices();
  const press = useRef<Press | null>(null);
  /** Fingers on the track, each with the moment that it was put on. */
  const fingers = useRef(new Map<number, Grabbed>());
  const [hover, setHover] = useState<Hover | null>(null);

  const place = (event: { clientX: number; clientY: number }) => {
    const bounds = track.current?.getBoundingClientRect();
    const x = event.clientX - (bounds?.left ?? 0);
    return { x, y: event.clientY - (bounds?.top ?? 0), width: bounds?.width ?? 1 };
  };

  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const bounds = element.getBoundingClientRect();
      const { span, fullSpan } = now.current;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const perPx = (span.toUs - span.fromUs) / Math.max(1, bounds.width);
      if (sideways || event.shiftKey) return setSpan(panBy(span, (event.deltaX || event.deltaY) * perPx, fullSpan));
      const at = timeAt(span, event.clientX - bounds.left, bounds.width);
      setSpan(zoomAround(span, WHEEL_RATE ** event.deltaY, at, fullSpan));
    };
    // React's own wheel listener is passive: the page would scroll along.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [area, now, setSpan]);

  /** Returns the moment under the pointer, limited to the visible span. */
  const momentAt = (event: PointerEvent) => {
    const { x, width } = place(event);
    return timeAt(now.current.span, Math.min(Math.max(x, 0), width), width);
  };
  const seekTo = (event: PointerEvent) => clock.seek(momentAt(event));

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { x, y, width } = place(event);
      const isFinger = event.pointerType === 'touch';
      if (isFinger) fingers.current.set(event.pointerId, { x, timeUs: timeAt(now.current.span, x, width) });
      // With a second finger the gesture is a zoom, so neither finger seeks any more.
      press.current = null;
      if (fingers.current.size > 1) return;
      const selecting = event.shiftKey && select !== undefined;
      const scrubbing = !selecting && (scrubs || y < size.timelineRuler);
      const startUs = momentAt(event);
      press.current = { startX: event.clientX, startUs, span: now.current.span, moved: false, scrubbing, selecting };
      // A finger may be the first of two, so it seeks only when it moves or is lifted.
      if (scrubbing && !isFinger) seekTo(event);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { x, y, width } = place(event);
      // A finger shows the time while it slides.
      const isShown = event.pointerType === 'mouse' || press.current?.moved === true;
      if (isShown) setHover({ x, y, timeUs: timeAt(now.current.span, x, width) });
      const finger = fingers.current.get(event.pointerId);
      if (finger) finger.x = x;
      const [one, other] = fingers.current.values();
      if (one && other) return setSpan(spanBetween(now.current.span, [one, other], width, now.current.fullSpan));
      const pressed = press.current;
      if (!pressed) return;
      const delta = event.clientX - pressed.startX;
      if (!pressed.moved && Math.abs(delta) < CLICK_PX) return;
      pressed.moved = true;
      if (pressed.scrubbing) return seekTo(event);
      if (pressed.selecting) return select?.(pressed.startUs, momentAt(event));
      const perPx = (pressed.span.toUs - pressed.span.fromUs) / Math.max(1, width);
      setSpan(panBy(pressed.span, -delta * perPx, now.current.fullSpan));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === 'touch') setHover(null);
      fingers.current.delete(event.pointerId);
      const pressed = press.current;
      press.current = null;
      if (pressed && !pressed.moved && (!pressed.scrubbing || event.pointerType === 'touch')) seekTo(event);
    },
    /** Called when the press is cancelled or the capture is lost; after a release it has no effect. */
    onLostPointerCapture(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === 'touch') setHover(null);
      fingers.current.delete(event.pointerId);
      press.current = null;
    },
    onPointerLeave() {
      setHover(null);
    },
  };
  return { hover, handlers };
}
