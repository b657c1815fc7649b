import { mdiNavigation } from '@mdi/js';
import { Box, ButtonBase } from '@mui/material';
import { destination, homography } from '@osprey/geo';
import { useEffect, useRef } from 'react';
import { fill, formatNumber } from '../base/format.ts';
import { formatMeasured, formatPlace } from '../base/units.ts';
import type { ShownFrame } from '../onscreen/frames.ts';
import { setText } from '../onscreen/set-text.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { footStyle, groundStyle } from './picture/picture-styles.ts';
import { placeText } from './place-text.ts';
import { texts } from './texts.ts';

type Named = { _id: string; name: string };
type Props = {
  sensor: Named;
  /** All sensors that may lead. */
  sensors: readonly Named[];
};

/** Interval at which a follower's distance from the clock is updated, in milliseconds. */
const DRIFT_MS = 500;

const onGround = { ...groundStyle, '&:empty': { display: 'none' } } as const;

/** Foot of the picture: frame centre, slant range, north. Updated directly in the DOM with each frame. */
export function PlayerFoot({ sensor, sensors }: Props) {
  const { frames, clock } = useViewServices();
  const { show } = useSnackbar();
  const place = useRef<HTMLButtonElement>(null);
  const error = useRef<HTMLSpanElement>(null);
  const slant = useRef<HTMLSpanElement>(null);
  const drift = useRef<HTMLSpanElement>(null);
  const north = useRef<HTMLDivElement>(null);
  const foot = useRef<HTMLDivElement>(null);

  useEffect(
    () =>
      frames.subscribe((frame) => {
        if (frame.sensorId !== sensor._id) return;
        setText(place.current, placeText(frame));
        setText(error.current, lengthText(texts.error, frame.values['45']));
        setText(slant.current, lengthText(texts.slant, frame.values['21']));
        turnNorth(north.current, frame);
        foot.current?.parentElement?.setAttribute('data-frame-time-us', String(frame.timeUs));
        foot.current?.setAttribute('data-record-time-us', String(frame.record?.timeUs ?? ''));
      }),
    [frames, sensor._id],
  );

  useEffect(() => {
    const timer = setInterval(() => {
      const { leader } = clock.get();
      const off = leader === sensor._id ? null : clock.driftUs(sensor._id);
      const name = sensors.find((one) => one._id === leader)?.name ?? '';
      const text = off === null ? '' : fill(texts.follows, { leader: name, seconds: formatNumber(off / 1e6, 2) });
      setText(drift.current, text);
    }, DRIFT_MS);
    return () => clearInterval(timer);
  }, [clock, sensor._id, sensors]);

  function copy() {
    const centre = frames.latest(sensor._id)?.footprint?.centre;
    if (!centre) return;
    const text = formatPlace(centre);
    navigator.clipboard.writeText(text).then(
      () => show(fill(texts.copied, { place: text }), 'success'),
      () => show(texts.notCopied, 'error'),
    );
  }

  return (
    <Box
      ref={foot}
      sx={{
        ...footStyle,
        pointerEvents: 'none',
      }}
    >
      <ButtonBase
        ref={place}
        title={texts.copy}
        onClick={copy}
        sx={{ ...onGround, pointerEvents: 'auto', font: 'inherit' }}
      />
      <Box component="span" ref={error} sx={{ ...onGround, '@container (max-width: 480px)': { display: 'none' } }} />
      <Box sx={{ flex: 1 }} />
      <Box component="span" ref={drift} sx={{ ...onGround, '@container (max-width: 620px)': { display: 'none' } }} />
      <Box component="span" ref={slant} sx={{ ...onGround, '@container (max-width: 400px)': { display: 'none' } }} />
      <Box
        ref={north}
        role="img"
        aria-label={texts.north}
        hidden
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: 24,
          height: 24,
          borderRadius: '50%',
          border: '1px solid rgb(255 255 255 / 0.4)',
          bgcolor: 'rgb(0 0 0 / 0.4)',
          '&[hidden]': { display: 'none' },
        }}
      >
        <Icon path={mdiNavigation} sx={{ fontSize: 14 }} />
      </Box>
    </Box>
  );
}

function lengthText(text: string, value: unknown): string {
  return typeof value === 'number' ? fill(text, { length: formatMeasured(value, 'm') }) : '';
}

/** Rotates the arrow to point north in the picture. */
function turnNorth(element: HTMLElement | null, { footprint, width, height }: ShownFrame) {
  if (!element) return;
  const ground = footprint && homography(footprint.corners);
  const from = footprint && ground?.toImage(footprint.centre);
  const to = footprint && ground?.toImage(destination(footprint.centre, 0, 1));
  element.hidden = !from || !to;
  if (!from || !to) return;
  const degrees = (Math.atan2((to.x - from.x) * width, (from.y - to.y) * height) * 180) / Math.PI;
  element.style.transform = `rotate(${degrees.toFixed(1)}deg)`;
}
