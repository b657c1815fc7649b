import type { ClockState } from '../../onscreen/clock/members.ts';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';

/** A player of live pictures, as the clock of its page plays it. */
export type LiveMember = {
  id: string;
  /** UTC of the picture on screen, and what can be wound back over. */
  timeUs: () => number | null;
  span: () => { startUs: number; endUs: number } | null;
  isPaused: () => boolean;
  play: () => void;
  pause: () => void;
  /** To the picture this much later, microseconds; back, below zero. */
  skip: (deltaUs: number) => void;
  goLive: () => void;
};

export type LiveClock = MissionClock & {
  /** Adds a player; returns how it leaves. */
  enter: (member: LiveMember) => () => void;
  /** A player shows another picture. */
  notify: (id: string) => void;
  /** Calls with the first kept moment, UTC microseconds, when a step back ended there because nothing earlier is kept. */
  onFirstRetained: (listener: (startUs: number) => void) => () => void;
  /**
   * Since when the server keeps pictures of the leading sensor, UTC microseconds: what can be wound back over where the
   * way that it is watched by has only live. Null: not known.
   */
  setKept: (sinceUs: number | null) => void;
  /** The leading sensor's own controls; null while there is no leading sensor. */
  leading: () => LiveMember | null;
};

const SPAN_STEP_US = 1_000_000;

/** A step back ends this close to where it was to end, or to the first kept picture: playlists wind to key frames. */
const NEAR_US = 5_000_000;

const listenersOf = <Value>() => {
  const listeners = new Set<(value: Value) => void>();
  return {
    notify(value: Value) {
      for (const listener of listeners) listener(value);
    },
    add(listener: (value: Value) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/**
 * The clock of a page of live players. Each player is as close to live as its way allows, so none is held to another:
 * the time is that of the picture that the leading sensor shows.
 */
export function createLiveClock(): LiveClock {
  const members = new Map<string, LiveMember>();
  const changes = listenersOf<void>();
  const times = listenersOf<number>();
  const firsts = listenersOf<number>();
  let state: ClockState = { playing: false, settling: false, speed: 1, leader: null, startUs: 0, endUs: 0 };
  let timeUs = 0;
  let keptUs: number | null = null;
  /** Where a step back is to end; null once it ended. */
  let backToUs: number | null = null;

  const leading = () => (state.leader === null ? null : (members.get(state.leader) ?? null));

  function change(fields: Partial<ClockState>) {
    const next = { ...state, ...fields };
    if (Object.entries(next).every(([key, value]) => state[key as keyof ClockState] === value)) return;
    state = next;
    changes.notify();
  }

  /** Up to the picture on screen: without a playlist that is the newest. */
  const keptSpan = (nowUs: number | null) =>
    keptUs !== null && nowUs !== null && keptUs < nowUs ? { startUs: keptUs, endUs: nowUs } : { startUs: 0, endUs: 0 };

  /** Rounded to seconds: the span that can be rewound moves with every picture. */
  function spanOf(member: LiveMember | null): { startUs: number; endUs: number } {
    const span = member?.span() ?? keptSpan(member?.timeUs() ?? null);
    const moved = Math.max(Math.abs(span.startUs - state.startUs), Math.abs(span.endUs - state.endUs));
    return moved < SPAN_STEP_US ? { startUs: state.startUs, endUs: state.endUs } : span;
  }

  function look() {
    const member = leading();
    change({ playing: member !== null && !member.isPaused(), ...spanOf(member) });
    const shownUs = member?.timeUs() ?? null;
    if (shownUs === null || shownUs === timeUs) return;
    timeUs = shownUs;
    times.notify(shownUs);
    lookBack();
  }

  function lookBack() {
    if (backToUs === null) return;
    const { startUs, endUs } = state;
    const isThere = timeUs - backToUs < NEAR_US;
    const isFirst = endUs > startUs && timeUs - startUs < NEAR_US;
    if (!isThere && !isFirst) return;
    backToUs = null;
    if (!isThere) firsts.notify(startUs);
  }

  function setLeader(leader: string | null) {
    backToUs = null;
    change({ leader });
    look();
  }

  const act = (command: (member: LiveMember) => void) => {
    const member = leading();
    if (!member) return;
    command(member);
    look();
  };
  const play = () => act((member) => member.play());
  const pause = () => act((member) => member.pause());
  const skip = (deltaUs: number) => {
    backToUs = deltaUs < 0 ? timeUs + deltaUs : null;
    act((member) => member.skip(deltaUs));
  };
  const seek = (moment: number) =>
    act((member) => {
      if (moment >= state.endUs) member.goLive();
      else member.skip(moment - timeUs);
    });

  return {
    get: () => state,
    timeUs: () => timeUs,
    driftUs: () => null,
    subscribe: (listener) => changes.add(listener),
    onTime: (listener) => times.add((shownUs) => listener(shownUs, 'playing')),
    // Recordings are played by the other clock.
    join: () => () => undefined,
    onFirstRetained: firsts.add,
    leading,
    enter(member) {
      members.set(member.id, member);
      if (state.leader === null || !members.has(state.leader)) setLeader(member.id);
      return () => {
        if (members.get(member.id) !== member) return;
        members.delete(member.id);
        if (state.leader !== member.id) return;
        setLeader([...members.keys()][0] ?? null);
      };
    },
    notify(id) {
      if (id === state.leader) look();
    },
    lead(id) {
      setLeader(id);
    },
    setKept(sinceUs) {
      keptUs = sinceUs;
      look();
    },
    setRange: () => undefined,
    setSpeed: () => undefined,
    play,
    pause,
    toggle: () => (state.playing ? pause() : play()),
    seek,
    skip,
    // A live picture has no next one yet.
    step: () => Promise.resolve(),
    stop: () => members.clear(),
  };
}
