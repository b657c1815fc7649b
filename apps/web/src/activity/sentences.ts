import type { ActivityRow } from '@osprey/contract';
import { fill, formatClock, formatDate, formatRemaining, formatSize } from '../base/format.ts';
import { type ActionTexts, actionTextOf } from './action-texts.ts';
import { texts } from './texts.ts';

export type SentenceFacts = Pick<ActivityRow, 'action' | 'item' | 'sensorName' | 'outcome' | 'result'>;

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Returns the text of the action that was performed or refused. An unknown action is shown by its audit name. */
export function actionText(
  action: string,
  ofFeatures: ActionTexts,
  outcome: SentenceFacts['outcome'] = 'allowed',
): string {
  const done = actionTextOf(action, ofFeatures) ?? action;
  if (outcome === 'allowed') return done;
  return texts.refusals[action] ?? fill(texts.refused, { action: lowered(done) });
}

const words: Readonly<Record<string, string>> = texts.reasons;

/** Matches results that only programmers understand: the HTTP call, or ids. They are shown only in the details. */
const TECHNICAL = /^(?:(?:GET|POST|PUT|DELETE|PATCH) \/.*|(?:sensor|session) [0-9a-f-]{36}\b.*)$/;
const INTERRUPTED = / interrupted$/;

/** Returns the outcome as a sentence without ids and codes; empty if the action already says everything. */
export function resultText(row: SentenceFacts): string {
  const { action, outcome, result } = row;
  if (outcome === 'refused') return action === 'login' ? refusedLogin(row) : (words[result ?? ''] ?? plain(row));
  if (action === 'media.begin') return fill(texts.watching, { sensor: sensorOf(row) });
  if (action === 'media.end') return watched(row);
  if (action === 'sheet.read') return viewed(row);
  return plain(row);
}

function plain({ result, sensorName }: SentenceFacts): string {
  if (result === null) return '';
  if (!TECHNICAL.test(result)) return result;
  return INTERRUPTED.test(result) ? texts.interrupted : (sensorName ?? '');
}

/** Rows written by earlier versions have no account, and have `unauthorized` as the result for every reason. */
function refusedLogin({ item, result }: SentenceFacts): string {
  const reason = (result !== 'unauthorized' && words[result ?? '']) || texts.noReason;
  if (result === 'unknownUser') return texts.refusedUnknown;
  if (item === null) return fill(texts.refusedLogin, { reason });
  return fill(texts.refusedLoginOf, { name: item.name ?? texts.goneUser, reason });
}

const sensorOf = ({ sensorName }: SentenceFacts): string => sensorName ?? texts.someSensor;

/** Format: `sensor <id>; <n> bytes; <from>/<to>`, with the times in ISO 8601; these are absent if unknown. */
const VIEWING = /^sensor \S+; (\d+) bytes(?:; ([^/]+)\/(.+))?$/;

function watched(row: SentenceFacts): string {
  const [, bytes, from, to] = VIEWING.exec(row.result ?? '') ?? [];
  if (bytes === undefined) return plain(row);
  const values = { sensor: sensorOf(row), size: formatSize(Number(bytes)) };
  if (from === undefined || to === undefined) return fill(texts.watched, values);
  return fill(texts.watchedTimes, { ...values, ...spanTexts(Date.parse(from) * 1000, Date.parse(to) * 1000) });
}

/** Format: `sensor <id>; <n> s`. */
const VIEWED = /^sensor \S+; (\d+) s$/;

function viewed(row: SentenceFacts): string {
  const seconds = VIEWED.exec(row.result ?? '')?.[1];
  if (seconds === undefined) return plain(row);
  return fill(texts.viewed, { sensor: sensorOf(row), length: formatRemaining(Number(seconds)) });
}

/** Formats a time range as times of day, with dates only if the two are not on the same day. */
function spanTexts(fromUs: number, toUs: number): { from: string; to: string } {
  const isOneDay = formatDate(fromUs) === formatDate(toUs);
  const textOf = (timeUs: number) => (isOneDay ? '' : `${formatDate(timeUs)}, `) + formatClock(timeUs);
  return { from: textOf(fromUs), to: textOf(toUs) };
}

/**
 * Returns the name of the acting account. For a refused log-in, returns the account name that was entered, with `known`
 * false, since that account did not act.
 */
export function whoText(row: SentenceFacts & { username: string | null; role: string | null }): {
  name: string;
  known: boolean;
} {
  const isAttempt = row.action === 'login' && row.outcome === 'refused';
  const byNobody = row.username === null || (isAttempt && row.role === 'guest');
  if (!byNobody) return { name: row.username ?? '', known: true };
  if (!isAttempt || (row.item === null && row.result !== 'unknownUser')) return { name: texts.stranger, known: false };
  const name = row.item === null ? texts.unknownUser : fill(texts.attempted, { name: row.item.name ?? texts.goneUser });
  return { name, known: false };
}

/** Returns the row as it is stored in the audit, with codes and ids. */
export function detailText(row: SentenceFacts & { node: string; seq: number; reason?: string | null }): string {
  const { details } = texts;
  const lines = [
    [details.action, row.action],
    [details.result, row.result],
    [details.reason, row.reason],
    [details.item, row.item?._id],
    [details.row, `${row.node} ${row.seq}`],
  ] as const;
  return lines.flatMap(([name, value]) => (value ? `${name}: ${value}` : [])).join('\n');
}

/**
 * Returns the actions for a choice, with their texts. Actions that have the same text are shown with their name as
 * well.
 */
export function actionChoices(actions: readonly string[], ofFeatures: ActionTexts): { id: string; name: string }[] {
  const all = actions.map((id) => ({ id, name: actionText(id, ofFeatures) }));
  const isShared = (name: string) => all.filter((one) => one.name === name).length > 1;
  return all
    .map(({ id, name }) => ({ id, name: isShared(name) ? `${name} (${id})` : name }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
