import { type Heard, PAST_RECEIVERS_MAX } from '@osprey/contract';
import { sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import { type AisSource, highestLabel } from './sources.ts';

const MINUTE_US = 60_000_000;
/**
 * A gap of up to this many minutes does not mean that a receiver is off, since ships at anchor and base stations may
 * transmit this rarely.
 */
const QUIET_MINUTES = 4;

type Row = { source_id: number; first: number; last: number };

/** Spans between two moments in which each source received AIS; a source that received nothing is left out. */
export async function heardWhen(
  db: Db,
  sources: readonly AisSource[],
  { startUs, endUs }: { startUs: number; endUs: number },
): Promise<Heard> {
  if (sources.length === 0) return { receivers: [], more: false, securityClassification: highestLabel([]) };
  const [from, to] = [Math.floor(startUs / MINUTE_US), Math.floor(endUs / MINUTE_US)];
  // Consecutive minutes form one group, whose number grows with each gap before it.
  const { rows } = await sql<Row>`
    select source_id, min(minute) as first, max(minute) as last from (
      select *, count(*) filter (where is_first) over (partition by source_id order by minute) as island from (
        select source_id, minute,
          minute - lag(minute) over (partition by source_id order by minute) > ${QUIET_MINUTES} as is_first
        from ais_heard where source_id = any (${sources.map(({ id }) => id)}::integer[])
          and minute between ${from - QUIET_MINUTES}::integer and ${to}::integer) marked) numbered
    group by source_id, island order by source_id, first`.execute(db);
  const spans = new Map<number, [number, number][]>();
  for (const { source_id, first, last } of rows) {
    const own = spans.get(source_id) ?? [];
    own.push([Math.max(startUs, first * MINUTE_US), Math.min(endUs, (last + 1) * MINUTE_US)]);
    spans.set(
      source_id,
      own.filter(([begin, end]) => end > begin),
    );
  }
  const receivers = sources.flatMap(({ id, sensorId, name, platformName, missionName }) => {
    const own = spans.get(id) ?? [];
    return own.length === 0 ? [] : [{ sensor: sensorId, sensorName: name, platformName, missionName, spans: own }];
  });
  return {
    receivers: receivers.slice(0, PAST_RECEIVERS_MAX),
    more: receivers.length > PAST_RECEIVERS_MAX,
    securityClassification: highestLabel(sources.filter(({ id }) => (spans.get(id) ?? []).length > 0)),
  };
}
