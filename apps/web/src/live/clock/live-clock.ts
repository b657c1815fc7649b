import type { ClockState } from '../../onscreen/clock/members.ts';
import type { MissionClock } from '../../onscreen/clock/mission-clock.ts';

/** A player of live pictures, as controlled by the clock of its page. */
export type LiveMember = {
  id: string;
  /** Returns the UTC time of the picture on screen; `span` returns the range that can be rewound. */
  timeUs: () => number | null;
  span: () => { startUs: number; endUs: number } | null;
  isPaused: () => boolean;
  play: () => void;
  pause: () => void;
  /** Moves to the picture this many microseconds later; earlier if negative. */
  skip: (deltaUs: number) => void;
  goLive: () => void;
};

export type LiveClock = MissionClock & {
  /** Adds a player. Returns a function that removes it. */
  enter: (member: LiveMember) => () => void;
  /** Called when a player shows another picture. */
  notify: (id: string) => void;
  /**
   * Adds a listener that is called when a step back ended at the first buffered picture, since nothing earlier is
   * buffered. It receives the UTC time of that picture in microseconds.
   */
  onFirstRetained: (listener: (startUs: number) => void) => () => void;
  /**
   * Sets the time since when the server has buffered pictures of the leading sensor, in UTC microseconds; null:
   * unknown. It defines what can be rewound if the mode of the player itself has only live pictures.
   */
  setKept: (sinceUs: number | null) => void;
  /** Returns whether the player of a sensor has shown a picture. */
  hasPicture: (id: string) => boolean;
  /** Returns the player of the leading sensor; null if no sensor leads. */
  leading: () => LiveMember | null;
};

const SPAN_STEP_US = 1_000_000;

/**
 * Maximum distance, in microseconds, from the target or from the first buffered picture at which a step back counts as
 * finished, since playlists can only start at key frames.
 */
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
 * Creates the clock of a page with live players. Each player is as close to live as its mode allows, so the players are
 * not synchronized; the time of the clock is that of the picture of the leading sensor.
 */
export function createLiveClock(): LiveClock {
  const members = new Map<string, LiveMember>();
  const changes = listenersOf<void>();
  const times = listenersOf<number>();
  const firsts = listenersOf<number>();
  let state: ClockState = { playing: false, settling: false, speed: 1, leader: null, startUs: 0, endUs: 0 };
  let timeUs = 0;
  let keptUs: number | null = null;
  /** Target time of a step back; null if none is in progress. */
  let backToUs: number | null = null;

  const leading = () => (state.leader === null ? null : (members.get(state.leader) ?? null));

  function change(fields: Partial<ClockState>) {
    const next = { ...state, ...fields };
    if (Object.entries(next).every(([key, value]) => state[key as keyof ClockState] === value)) return;
    state = next;
    changes.notify();
  }

  /**
   * Returns the range that can be rewound according to the server. It ends at the picture on screen, which is the
   * newest if there is no playlist.
   */
  const keptSpan = (nowUs: number | null) =>
    keptUs !== null && nowUs !== null && keptUs < nowUs ? { startUs: keptUs, endUs: nowUs } : { startUs: 0, endUs: 0 };

  /** Changes only in steps of a second, since the range that can be rewound moves with every picture. */
  function spanOf(member: LiveMember | null): { startUs: number; endUs: number } {
    const span = member?.span() ?? keptSpan(member?.timeUs() ?? null);
    const moved = Math.max(Math.abs(span.startUs - state.startUs), Math.abs(span.endUs - state.endUs));
    return moved < SPAN_STEP_US ? { startUs: state.startUs, endUs: state.endUs } : span;
  }

  function readPosition() {
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
    readPosition();
  }

  const act = (command: (member: LiveMember) => void) => {
    const member = leading();
    if (!member) return;
    command(member);
    readPosition();
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
    // Not used: recorded sensors are played by the clock of the mission view.
    join: () => () => undefined,
    onFirstRetained: firsts.add,
    leading,
    hasPicture: (id) => (members.get(id)?.timeUs() ?? null) !== null,
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
      if (id === state.leader) readPosition();
    },
    lead(id) {
      setLeader(id);
    },
    setKept(sinceUs) {
      keptUs = sinceUs;
      readPosition();
    },
    setRange: () => undefined,
    setSpeed: () => undefined,
    play,
    pause,
    toggle: () => (state.playing ? pause() : play()),
    seek,
    skip,
    // A live picture has no next picture yet.
    step: () => Promise.resolve(),
    stop: () => members.clear(),
  };
}
