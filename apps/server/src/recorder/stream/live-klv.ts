import { readUniversalKey } from '@osprey/klv';
import type { KlvPayload } from '@osprey/mpegts';
import {
  chosenByRule,
  createKlvChoice,
  type KlvWorth,
  POSITION_WORTH,
  worthOfSet,
} from '../../media/index/klv-choice.ts';
import { createKlvJoin, type PlacedSet } from '../../media/index/klv-join.ts';
import { createKlvRecords } from '../../media/index/klv-records.ts';
import { type ShownKlv, shownKlv } from '../../media/index/shown-program.ts';
import type { LiveKlv } from '../../recorder-wire/media-messages.ts';
import type { KlvStreams } from '../../recorder-wire/protocol.ts';
import { klvPackets } from './klv-packets.ts';

/** Maximum number of KLV streams that are described; a program map can list more than any encoder sends. */
const DESCRIBED_MAX = 32;

type Count = { sets: number; positions: number; filled: Set<number> };

export type LiveKlvOut = {
  klv(klv: LiveKlv): void;
  /** Called with a packet of a KLV stream that is not the one shown as telemetry. */
  otherKlv?(packet: Uint8Array): void;
};

/**
 * Selects the telemetry of a live stream: of several KLV streams, one is shown, chosen by the rules or by a user, and
 * the others fill in items that it lacks.
 *
 * @param requested PID of the stream that a user chose; null: chosen by the rules
 */
export function liveKlv(out: LiveKlvOut, requested: number | null) {
  /**
   * Choice by the rules. It is maintained even while a user's choice applies, so that the stream chosen by the rules is
   * shown immediately when the user undoes the choice.
   */
  const byRules = createKlvChoice();
  const records = createKlvRecords();
  const counts = new Map<number, Count>();
  let streams: ShownKlv = shownKlv(null, []);
  /** True once the requested stream has sent a set; until then, the stream chosen by the rules is shown. */
  let isReceived = false;

  const join = createKlvJoin<PlacedSet & { klv: LiveKlv }>({
    emit: ({ klv }, bytes) => out.klv(bytes === null ? klv : { ...klv, bytes }),
    onFilled: (pid, tag) => void counts.get(pid)?.filled.add(tag),
    // Never join two streams that both hold positions.
    mayFill: (pid) => !(hasPositions(pid) && hasPositions(shown()?.pid)),
    waits: false,
  });

  const hasSeveral = (): boolean => streams.pids.length > 1;
  const hasPositions = (pid: number | undefined): boolean => pid !== undefined && (counts.get(pid)?.positions ?? 0) > 0;
  const isByUser = (): boolean => isReceived && requested !== null && streams.pids.includes(requested);

  function shown(): { pid: number; by: KlvStreams['by'] } | null {
    if (isByUser()) return { pid: requested!, by: 'user' };
    const chosen = byRules.chosen();
    return chosen && { pid: chosen.pid, by: chosenByRule(chosen.worth) };
  }

  /** @param ptsTicks PTS of the payload, or of the last picture if the payload has none; null if neither exists */
  function add(payload: KlvPayload, ptsTicks: number | null, arrivalUs: number): void {
    const { pid, run } = payload;
    const ticks = ptsTicks ?? payload.nearTicks;
    for (const bytes of klvPackets(payload)) {
      const worth = worthOf(bytes);
      const isShown = accepts(pid, worth, ticks);
      const klv: LiveKlv = { bytes, ptsTicks, arrivalUs, pid };
      if (!isShown) out.otherKlv?.(bytes);
      if (!hasSeveral() || worth === 0) {
        if (isShown) out.klv(klv);
        continue;
      }
      count(pid, worth);
      const set = { pid, run, ticks, bytes, start: 0, end: bytes.length };
      if (isShown) join.base({ ...set, klv });
      else join.other(set);
    }
  }

  function accepts(pid: number, worth: KlvWorth, ticks: number | null): boolean {
    const isOfRules = byRules.accepts(pid, worth, ticks);
    isReceived ||= pid === requested && worth > 0;
    return isByUser() ? pid === requested : isOfRules;
  }

  function count(pid: number, worth: KlvWorth): void {
    const existing = counts.get(pid) ?? { sets: 0, positions: 0, filled: new Set() };
    counts.set(pid, existing);
    existing.sets += 1;
    if (worth >= POSITION_WORTH) existing.positions += 1;
  }

  /**
   * Rates the content of a packet. Packets are decoded here only when one of several streams must be chosen; otherwise
   * they are decoded where they are shown.
   */
  function worthOf(packet: Uint8Array): KlvWorth {
    const standard = readUniversalKey(packet, 0) ?? 'unknown';
    if (!hasSeveral()) return standard === 'unknown' ? 0 : 1;
    try {
      return worthOfSet(standard, records.read(packet, 0, packet.length));
    } catch (error) {
      if (error instanceof Error && error.name === 'FormatError') return 0;
      throw error;
    }
  }

  function described(): KlvStreams | null {
    if (!hasSeveral()) return null;
    const chosen = shown();
    return {
      chosen: chosen?.pid ?? null,
      by: chosen?.by ?? 'first',
      wanted: requested,
      streams: streams.pids.slice(0, DESCRIBED_MAX).map((pid, at) => {
        const { sets, positions, filled } = counts.get(pid) ?? { sets: 0, positions: 0, filled: new Set<number>() };
        const tags = [...filled].sort((a, b) => a - b);
        return { pid, program: streams.programs[at]!, sets, positions, ...(tags.length > 0 && { filled: tags }) };
      }),
    };
  }

  return {
    add,
    /** Called with the KLV streams listed each time the program map is received. */
    listed(next: ShownKlv): void {
      streams = next;
      byRules.listed(next.pids, next.assigned);
    },
    /**
     * Requests that this stream be shown, starting with its next set; null: the stream chosen by the rules is shown
     * immediately.
     */
    want(pid: number | null): void {
      if (pid === requested) return;
      requested = pid;
      isReceived = false;
    },
    /** Describes the KLV streams; null if there is at most one. */
    described,
  };
}
