import type { ClockMember } from '../onscreen/clock/members.ts';

const STEP_US = 1_000_000;

/** Creates a member of the mission clock that has no pictures and simply advances with the machine's time. */
export function freeMember(now: () => number): ClockMember {
  let at = { timeUs: 0, ms: now(), rate: 0 };
  const timeUs = () => at.timeUs + (now() - at.ms) * 1000 * at.rate;
  const go = (rate: number) => {
    if (rate !== at.rate) at = { timeUs: timeUs(), ms: now(), rate };
  };
  const stand = (moment: number) => {
    at = { timeUs: moment, ms: now(), rate: 0 };
  };
  return {
    id: 'time',
    covers: () => true,
    nextCovered: (moment) => moment,
    lastCovered: (moment) => moment,
    nowUs: timeUs,
    isReady: () => true,
    show: stand,
    play: go,
    pause: () => go(0),
    miss: () => go(0),
    async step(direction) {
      stand(timeUs() + direction * STEP_US);
      return at.timeUs;
    },
  };
}
