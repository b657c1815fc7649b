import type { KlvPayload } from '@osprey/mpegts';
import { chosenByRule, type KlvChoice, type KlvChosenBy, type KlvWorth, POSITION_WORTH } from './klv-choice.ts';
import type { KlvCount, KlvSurvey, RequestedKlv } from './klv-survey.ts';

/**
 * Ratio of positions from which another stream is better than the shown one, since a few sets more at either end must
 * not be decisive.
 */
const CLEARLY_MORE = 1.1;

type Deps = { choice: KlvChoice; requested: RequestedKlv | null };

/**
 * Counts the packets of each KLV stream of a program, and reports which stream is shown, why, and which tags the others
 * supplied.
 */
export function createKlvComparison({ choice, requested }: Deps) {
  const counts = new Map<number, KlvCount>();
  const filled = new Map<number, Set<number>>();

  const positionsOf = (pid: number | undefined): number => (pid === undefined ? 0 : (counts.get(pid)?.positions ?? 0));

  function chosenBy({ pid, worth }: { pid: number; worth: KlvWorth }): KlvChosenBy {
    return requested?.pid === pid ? requested.by : chosenByRule(worth);
  }

  /**
   * Returns the streams that a second pass must not join, since they contain positions like the shown stream or another
   * joined one.
   */
  function apartPart(pid: number): Pick<KlvSurvey, 'apart'> {
    const positioned = [...counts.values()].filter((one) => one.pid !== pid && one.positions > 0);
    const most = Math.max(...positioned.map(({ positions }) => positions));
    const retained = positionsOf(pid) > 0 ? null : positioned.find(({ positions }) => positions === most);
    const wrong = positioned.filter((one) => one !== retained).map((one) => one.pid);
    return wrong.some((each) => filled.has(each)) ? { apart: wrong } : {};
  }

  return {
    positionsOf,

    count({ pid, programNumber }: KlvPayload, worth: KlvWorth): void {
      let existing = counts.get(pid);
      if (existing === undefined) {
        existing = { pid, program: programNumber, sets: 0, positions: 0 };
        counts.set(pid, existing);
      }
      if (worth > 0) existing.sets += 1;
      if (worth >= POSITION_WORTH) existing.positions += 1;
    },

    /** Notes that a stream supplied this tag for a set of the shown stream. */
    filled(pid: number, tag: number): void {
      const tags = filled.get(pid) ?? new Set();
      filled.set(pid, tags.add(tag));
    },

    /** `shownStreams`: number of streams whose packets were used as those of the shown stream. */
    report(shownStreams: number): Pick<KlvSurvey, 'others' | 'found' | 'chosen' | 'better' | 'filled' | 'apart'> {
      const others = choice.others();
      const chosen = choice.chosen();
      if (counts.size < 2 || chosen === null) return others.length > 0 ? { others } : {};
      const found = [...counts.values()];
      const own = counts.get(chosen.pid);
      const most = found.reduce((best, one) => (one.positions > best.positions ? one : best));
      const by = chosenBy(chosen);
      // A stream chosen by a user or by the tables must not be replaced by one with more positions.
      const isFree = requested === null && by !== 'tables' && shownStreams === 1;
      const isBetter = isFree && most.positions > CLEARLY_MORE * (own?.positions ?? 0);
      return {
        ...(others.length > 0 && { others }),
        found,
        chosen: { pid: chosen.pid, by },
        ...(isBetter && { better: most.pid }),
        ...(filled.size > 0 && {
          filled: [...filled].map(([pid, tags]) => ({ pid, tags: [...tags].sort((a, b) => a - b) })),
        }),
        ...apartPart(isBetter ? most.pid : chosen.pid),
      };
    },
  };
}
