import type { KlvHealth } from '@osprey/contract';
import { utcOfPts } from '../../telemetry/timebase.ts';
import type { ArrangedFile } from './arrange.ts';
import { durationText } from './duration-text.ts';

type Finding = KlvHealth['findings'][number];

/**
 * Maximum difference between the clocks, in microseconds: half a picture at usual rates, so that both refer to the same
 * picture.
 */
const DIFFERENCE_MAX_US = 20_000;

/** Returns findings about the time stamps of pictures, and whether the clock of the metadata agrees. */
export function pictureClockFindings({ name, index, runs, timebase }: ArrangedFile): Finding[] {
  const { pictureClock } = index;
  if (!pictureClock) return [];
  const { stamps, unlocked, discontinuous, reversed = 0, isBelieved } = pictureClock;
  const texts: string[] = [];
  if (!isBelieved)
    texts.push(
      'the time stamps of the pictures (ST 0604) are not used: they disagree with each other, or lie before 1990 or in the future.',
    );
  if (unlocked > 0)
    texts.push(`${unlocked} of ${stamps} time stamps of pictures come from a clock without a reference.`);
  if (discontinuous > 0)
    texts.push(
      `${discontinuous} of ${stamps} time stamps of pictures say that their clock jumped${reversed > 0 ? `, ${reversed} of them back` : ''}.`,
    );
  if (isBelieved && timebase.clock === 'klv') {
    const pictures = { ...timebase, runs: pictureClock.runs };
    const apart = runs
      .flatMap(({ run, firstTicks, endTicks }) =>
        [firstTicks, endTicks].map((ticks) => utcOfPts(pictures, run, ticks) - utcOfPts(timebase, run, ticks)),
      )
      .filter((us) => !Number.isNaN(us));
    const largestUs = apart.reduce((worst, us) => (Math.abs(us) > Math.abs(worst) ? us : worst), 0);
    if (Math.abs(largestUs) > DIFFERENCE_MAX_US + pictureClock.toleranceUs) {
      const by =
        Math.abs(largestUs) < 1e6
          ? `${(Math.abs(largestUs) / 1e6).toFixed(3)} s`
          : durationText(Math.abs(largestUs) / 1e6);
      texts.push(
        `the time stamps of the pictures (ST 0604) are ${by} ${largestUs > 0 ? 'later' : 'earlier'} than the telemetry of the same frame. The telemetry is used.`,
      );
    }
  }
  return texts.map((text) => ({ severity: 'warning', text: `${name}: ${text}` }));
}
