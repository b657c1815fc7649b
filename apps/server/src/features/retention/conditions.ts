import { sql } from 'kysely';
import { isFreeOfCases } from '../../base/items/case-hold.ts';
import { isMissionOfGroups } from '../../base/items/missions.ts';

const DAY_US = 24 * 3_600_000_000;

/** SQL condition that a rule applies to a mission of the query. */
export const meets = sql<boolean>`(
  (rule.usergroup_id is null or ${isMissionOfGroups(sql`array[rule.usergroup_id]`)})
  and (rule.platform is null or rule.platform = missions.platform_name))`;

/**
 * SQL condition that a mission is older than the longest period of all rules that apply to it, not on hold, and not in
 * use.
 */
export const expired = (nowUs: number) => sql<boolean>`(
  missions.hold_reason is null
  and ${isFreeOfCases('mission_id', 'missions.id')}
  and missions.state in ('Created', 'Ready', 'Stopped')
  and (select max(rule.days) from retention_rules rule where ${meets}) * ${DAY_US}::bigint
    < ${nowUs}::bigint - coalesce(missions.end_time, missions.creation_time))`;
