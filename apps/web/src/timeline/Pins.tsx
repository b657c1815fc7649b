import { Box } from '@mui/material';
import type { Sensor } from '@osprey/contract';
import { memo, useMemo, useState } from 'react';
import { fill, formatClock, plainText } from '../base/format.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Icon } from '../ui/Icon.tsx';
import { focusNeighbour } from './arrow-keys.ts';
import { barsOf, type Pin, pinsOf, type SortedMarks, type TimelineMark } from './marks.ts';
import { texts } from './texts.ts';

/** Width of a pin without its label, in px: its line and an icon or a count. */
const PIN_PX = 28;
/** Minimum width for a pin's label, in px. */
const LABEL_ROOM_PX = 56;
/**
 * Height of the row of pins on a phone, in px. The pins are only displayed there; their marks are opened from the list.
 */
export const COMPACT_PINS_PX = 12;
const COMPACT_PIN_PX = 8;
/** Maximum count shown in a pin, which has no room for larger ones. */
const COUNT_MAX = 99;
/** Maximum number of labels in the tooltip of a pin that combines several marks. */
const HINT_MARKS = 8;

type Props = {
  sorted: SortedMarks;
  /** Sensors of the mission, to name the sensor of a mark if there are several. */
  sensors: readonly Sensor[];
  fromUs: number;
  toUs: number;
  width: number;
  top: number;
  height: number;
  compact: boolean;
};

/**
 * Row of pins over the track; clicking one seeks to it. Only one of them is in the tab order, and arrow keys move to
 * its neighbours. Memoised, so that it is rendered only when marks or view change, while the timeline is rendered with
 * each move of the pointer.
 */
export const Pins = memo(PinsRow);

function PinsRow({ sorted, sensors, fromUs, toUs, width, top, height, compact }: Props) {
  const { clock } = useViewServices();
  const [reached, setReached] = useState<string | null>(null);
  const pinPx = compact ? COMPACT_PIN_PX : PIN_PX;
  const span = { fromUs, toUs };
  const bars = useMemo(() => barsOf(sorted, { fromUs, toUs }, width), [sorted, fromUs, toUs, width]);
  const pins = pinsOf(sorted, span, width, pinPx);
  const idOf = ({ from }: Pin) => sorted.marks[from]!.id;
  const inTabOrder = pins.some((pin) => idOf(pin) === reached) ? reached : pins[0] && idOf(pins[0]);

  return (
    <Box
      role={compact ? 'presentation' : 'toolbar'}
      aria-label={compact ? undefined : texts.pins}
      data-part="pins"
      onKeyDown={focusNeighbour}
      sx={{ position: 'absolute', insetInline: 0, overflow: 'clip', pointerEvents: 'none', ...pinStyles }}
      style={{ top, height }}
    >
      <svg width={width} height={height} aria-hidden="true" style={{ position: 'absolute' }}>
        {[...bars].map(([ink, path]) => (
          <path key={ink} d={path} transform={`translate(0 ${height - 2})`} stroke={ink} strokeWidth={3} />
        ))}
      </svg>
      {pins.map((pin) => {
        const first = sorted.marks[pin.from]!;
        const count = pin.to - pin.from;
        const style = { left: pin.x, maxWidth: pin.room - 1, '--ink': first.ink };
        if (compact) return <i key={first.id} style={style} />;
        const hint = hintOf(sorted.marks.slice(pin.from, Math.min(pin.to, pin.from + HINT_MARKS)), count, sensors);
        return (
          <button
            key={first.id}
            type="button"
            tabIndex={first.id === inTabOrder ? 0 : -1}
            aria-label={count === 1 ? hint : pinName(count, first, sorted.marks[pin.to - 1]!)}
            title={hint}
            style={style}
            // Keeps the focus where it is, so that the keys of the view still work.
            onMouseDown={(event) => event.preventDefault()}
            onFocus={() => setReached(first.id)}
            onClick={() => clock.seek(first.timeUs)}
          >
            {count === 1 && first.icon && <Icon path={first.icon} />}
            {count > 1 && <b>{count > COUNT_MAX ? `${COUNT_MAX}+` : count}</b>}
            {count === 1 && pin.room > LABEL_ROOM_PX && <span>{plainText(first.label)}</span>}
          </button>
        );
      })}
    </Box>
  );
}

function hintOf(marks: readonly TimelineMark[], count: number, sensors: readonly Sensor[]): string {
  const lines = marks.map(({ label, sensorId, timeUs, endUs }) => {
    const sensor = sensors.length > 1 && sensors.find(({ _id }) => _id === sensorId);
    const time = endUs === undefined ? texts.pinAt : texts.pinFor;
    const when = fill(time, { from: formatClock(timeUs), to: formatClock(endUs ?? timeUs) });
    return [plainText(label), ...(sensor ? [sensor.name] : []), when].join(', ');
  });
  return [...lines, ...(count > lines.length ? [fill(texts.morePins, { count: count - lines.length })] : [])].join(
    '\n',
  );
}

const pinName = (count: number, first: TimelineMark, last: TimelineMark) =>
  fill(texts.pinsAt, { count, from: formatClock(first.timeUs), to: formatClock(last.timeUs) });

const pinStyles = {
  '& button': {
    position: 'absolute',
    top: 3,
    bottom: 3,
    display: 'flex',
    alignItems: 'center',
    gap: 1,
    p: 0,
    pl: '3px',
    pr: '3px',
    minWidth: 0,
    overflow: 'hidden',
    whiteSpace: 'nowrap',
    font: 'inherit',
    fontSize: 12,
    color: 'text.primary',
    bgcolor: 'surface.raised',
    border: 0,
    borderLeft: '2px solid var(--ink)',
    borderRadius: '2px',
    cursor: 'pointer',
    pointerEvents: 'auto',
    '& svg': { fontSize: 14, flex: 'none', color: 'var(--ink)' },
    '& span': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '& b': { fontWeight: 600, fontSize: 11 },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -2 },
  },
  '& i': { position: 'absolute', top: 2, width: 8, height: 8, borderRadius: '1px', bgcolor: 'var(--ink)', ml: '-4px' },
} as const;
