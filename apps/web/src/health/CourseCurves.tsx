import { Box, Button } from '@mui/material';
import type { KlvHealth } from '@osprey/contract';
import { fill, formatClock, formatNumber } from '../base/format.ts';
import { Block } from './Card.tsx';
import { Curve } from './Curve.tsx';
import { furthest, usualRate } from './report.ts';
import { texts } from './texts.ts';

type Props = {
  course: NonNullable<KlvHealth['course']>;
  onShow: (timeUs: number) => void;
};

const HEIGHT = 104;

/**
 * Curves of the rate and the clock of the telemetry over the recording, each with a sentence about its worst moment.
 */
export function CourseCurves({ course, onShow }: Props) {
  const { time, ratePerSecond: rates, clockOffsetMs } = course;
  const usual = usualRate(rates) ?? 0;
  const uneven = unless(furthest(time, rates, usual), ({ value }) => Math.abs(value - usual) < usual * STEADY_SHARE);
  const known = furthest(time, clockOffsetMs, 0);
  const apart = unless(known, ({ value }) => Math.abs(value) < IN_STEP_MS);
  return (
    <Block title={texts.courseTitle}>
      <Course
        title={texts.rateCourse}
        note={fill(uneven ? texts.rateNote : texts.rateSteady, {
          usual: formatNumber(usual, 1),
          worst: formatNumber(uneven?.value, 1),
        })}
        worst={uneven?.timeUs ?? null}
        onShow={onShow}
      >
        <Curve
          label={texts.rateCourse}
          height={HEIGHT}
          times={time}
          values={rates}
          onShow={onShow}
          least={[0, usual * 1.2]}
        />
      </Course>
      <Course title={texts.clockCourse} note={clockNote(known, apart)} worst={apart?.timeUs ?? null} onShow={onShow}>
        {known && (
          <Curve
            label={texts.clockCourse}
            height={HEIGHT}
            times={time}
            values={clockOffsetMs}
            onShow={onShow}
            least={OFFSET_RANGE_MS}
          />
        )}
      </Course>
    </Block>
  );
}

type Moment = ReturnType<typeof furthest>;

/**
 * Minimum deviation from the usual value that is reported: as a share of the rate, and in milliseconds for the clock.
 */
const STEADY_SHARE = 0.02;
const IN_STEP_MS = 1;

const unless = (moment: Moment, isFine: (moment: NonNullable<Moment>) => boolean): Moment =>
  moment !== null && isFine(moment) ? null : moment;

function clockNote(known: Moment, apart: Moment): string {
  if (known === null) return texts.cards.latencyNone;
  return apart === null ? texts.clockInStep : fill(texts.clockNote, { worst: formatNumber(apart.value, 1) });
}

/**
 * Minimum range of the axis in milliseconds, so that a clock which is accurate to a few milliseconds appears as a
 * straight line.
 */
const OFFSET_RANGE_MS = [-10, 10] as const;

type CourseProps = {
  title: string;
  note: string;
  worst: number | null;
  onShow: (timeUs: number) => void;
  children: React.ReactNode;
};

function Course({ title, note, worst, onShow, children }: CourseProps) {
  return (
    <Box sx={{ p: 2, '& + &': { borderTop: 1, borderColor: 'surface.line' } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, px: 1, fontSize: 12 }}>
        <Box component="h4" sx={{ m: 0, fontSize: 12, fontWeight: 500 }}>
          {title}
        </Box>
        <Box component="span" sx={{ color: 'text.secondary', ml: 'auto' }}>
          {note}
        </Box>
        {worst !== null && (
          <Button
            variant="text"
            color="primary"
            aria-label={fill(texts.showAt, { time: formatClock(worst) })}
            onClick={() => onShow(worst)}
            sx={{ height: 24 }}
          >
            {formatClock(worst)}
          </Button>
        )}
      </Box>
      {children}
    </Box>
  );
}
