import { Box } from '@mui/material';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { Rnd } from 'react-rnd';
import { z } from 'zod';
import { readStoredJson, writeStored } from '../base/keys.ts';

/** Class of the part by which a floating panel is moved. */
const HANDLE = 'osprey-panel-handle';

/**
 * Initial position and size of a panel: 160 x 240 at 10, 10 (specification 2, section 9); relative to the area inside
 * the 8 px margin.
 */
const FIRST = { x: 2, y: 2, width: 160, height: 240 };

/**
 * Width of the telemetry panel, in px: enough for a coordinate next to its name, and for the name of a sensor next to
 * the buttons.
 */
export const TELEMETRY_WIDTH = 248;
const SIZE_MIN_PX = { width: 160, height: 120 };
const KEY_STEP = 16;

const place = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
type Place = z.output<typeof place>;

type Room = { width: number; height: number };

/**
 * Moves the panel inside the available area, since its stored position may be from a larger window and it must remain
 * reachable.
 */
function inside({ x, y, width, height }: Place, room: Room): Place {
  const fits = {
    width: Math.max(SIZE_MIN_PX.width, Math.min(width, room.width)),
    height: Math.max(SIZE_MIN_PX.height, Math.min(height, room.height)),
  };
  return {
    x: Math.max(0, Math.min(x, room.width - fits.width)),
    y: Math.max(0, Math.min(y, room.height - fits.height)),
    ...fits,
  };
}

const ANY_ROOM: Room = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

/** Returns the size of the area that the panels float over, in px. */
function useRoom(frame: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState(ANY_ROOM);
  useEffect(() => {
    const floats = frame.current?.closest('[data-part="floats"]');
    if (!floats) return;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry?.contentRect ?? ANY_ROOM;
      // A hidden view has no size.
      if (width > 0 && height > 0) setRoom({ width, height });
    });
    observer.observe(floats);
    return () => observer.disconnect();
  }, [frame]);
  return room;
}

type Props = {
  /** Storage key of the panel's position. */
  storageKey: string;
  first?: Partial<Place>;
  /** Returns the maximum initial height for a given height of the area that the panel floats over, in px. */
  firstHeight?: (roomPx: number) => number;
  children: (head: { className: string; onKeyDown: (event: KeyboardEvent) => void }) => ReactNode;
};

/**
 * Panel over the video that is dragged by its head, resized at its edges, and moved by arrow keys. Its position is
 * remembered.
 */
export function FloatingPanel({ storageKey, first, firstHeight, children }: Props) {
  const [stored, setStored] = useState(() => place.safeParse(readStoredJson(storageKey)).data ?? null);
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const height = Math.min(FIRST.height, firstHeight?.(room.height) ?? FIRST.height);
  const at = inside(stored ?? { ...FIRST, ...first, height }, room);

  function move(next: Partial<Place>) {
    const moved = { ...at, ...next };
    setStored(moved);
    writeStored(storageKey, JSON.stringify(moved));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-KEY_STEP, 0],
      ArrowRight: [KEY_STEP, 0],
      ArrowUp: [0, -KEY_STEP],
      ArrowDown: [0, KEY_STEP],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = event.shiftKey
      ? { ...at, width: at.width + step[0], height: at.height + step[1] }
      : { ...at, x: at.x + step[0], y: at.y + step[1] };
    move(inside(next, room));
  }

  return (
    <Rnd
      size={{ width: at.width, height: at.height }}
      position={{ x: at.x, y: at.y }}
      minWidth={SIZE_MIN_PX.width}
      minHeight={SIZE_MIN_PX.height}
      bounds="parent"
      dragHandleClassName={HANDLE}
      cancel="button, input"
      // The hack adds a style element, which the Content Security Policy refuses without a nonce.
      enableUserSelectHack={false}
      style={{ zIndex: 4, pointerEvents: 'auto' }}
      onDragStop={(_event, { x, y }) => move({ x, y })}
      // The library reacts to every mouse button, but the release is reported reliably only for the main one.
      onResizeStart={(event) => (isOtherButton(event) ? false : undefined)}
      onResizeStop={(_event, _direction, element, _delta, { x, y }) =>
        move({ x, y, width: element.offsetWidth, height: element.offsetHeight })
      }
    >
      <Box
        ref={frame}
        sx={{
          height: '100%',
          // Scrolling an element into view inside must not scroll the panel in its frame.
          overflow: 'clip',
          borderRadius: '10px',
          border: 1,
          borderColor: 'surface.line',
          bgcolor: 'color-mix(in srgb, var(--mui-palette-surface-panel) 92%, transparent)',
          boxShadow: '0 1px 2px rgb(0 0 0 / 0.28), 0 12px 32px rgb(0 0 0 / 0.36)',
          color: 'text.primary',
        }}
      >
        {children({ className: HANDLE, onKeyDown })}
      </Box>
    </Rnd>
  );
}

const isOtherButton = ({ nativeEvent }: SyntheticEvent) =>
  nativeEvent instanceof MouseEvent && nativeEvent.button !== 0;
