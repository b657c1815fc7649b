import { type AppError, addCaseParts, type CasePart, type CaseRow, listCaseParts } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Api, useApi } from '../../api/api.ts';
import { fill, formatCount, formatNumber, unitOf } from '../../base/format.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import type { NewPart } from './collected.ts';
import { texts } from './texts.ts';

/**
 * Consequence of adding parts: the label that the case would get, and the number of current readers who could no longer
 * read it (`count`), which only administrators are given; null for others.
 */
export type LockOut = { label: string; count: number | null };

type Target = Pick<CaseRow, '_id' | 'number'>;

/** Returns functions that add parts to a case and report the outcome to the user. */
export function useAddParts() {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { show } = useSnackbar();

  /**
   * Resolves to `lockOut` if nothing has been added yet, because the user must first agree that some readers lose
   * access.
   */
  async function add(
    into: Target,
    parts: readonly NewPart[],
    agreed = false,
  ): Promise<'done' | 'failed' | { lockOut: LockOut }> {
    const { _id, number } = into;
    try {
      const added = await addMissing(api, into, parts, agreed);
      await queries.invalidateQueries({ queryKey: ['cases'] });
      const open = { label: texts.open, onClick: () => void navigate(`/cases/${_id}`) };
      const values = { number, count: formatNumber(added), there: formatNumber(parts.length - added) };
      if (added === 0) show(fill(unitOf(parts.length, texts.there), values), 'info', open);
      else if (added < parts.length) show(fill(texts.some, values), 'success', open);
      else show(fill(formatCount(added, texts.added), values), 'success', open);
      return 'done';
    } catch (error) {
      if (isCode(error, 'wouldLockOut')) return { lockOut: lockOutOf(error as AppError) };
      show(fill(texts.failed, { number, text: errorText(error) }), 'error');
      return 'failed';
    }
  }

  return { add };
}

export const lockOutOf = ({ values }: AppError): LockOut => ({
  label: String(values.label ?? ''),
  count: values.count ? Number(values.count) : null,
});

/** Adds all parts with one call. If some are already in the case, adds only the others. Returns how many were added. */
async function addMissing(api: Api, { _id }: Target, parts: readonly NewPart[], agreed: boolean): Promise<number> {
  const send = (some: readonly NewPart[]) =>
    api.call(addCaseParts, { params: { id: _id }, body: { parts: [...some], ...(agreed && { lockOut: true }) } });
  try {
    await send(parts);
    return parts.length;
  } catch (error) {
    if (!isCode(error, 'partThere')) throw error;
    const there = new Set((await api.call(listCaseParts, { params: { id: _id } })).map(keyOfPart));
    const missing = parts.filter((part) => !there.has(keyOfNew(part)));
    // Another user has removed one of the parts from the case in the meantime.
    if (missing.length === parts.length) throw error;
    if (missing.length > 0) await send(missing);
    return missing.length;
  }
}

/** Returns a key that is the same for two parts with the same subject. */
function keyOfNew(part: NewPart): string {
  if (part.kind === 'track') return `${part.sensorId} ${part.startTime} ${part.endTime}`;
  if (part.kind === 'note') return '';
  if ('documentId' in part) return part.documentId;
  if ('clipId' in part) return part.clipId;
  return 'bookmarkId' in part ? part.bookmarkId : part.annotationId;
}

const keyOfPart = ({ kind, subjectId, startTime, endTime }: CasePart): string =>
  kind === 'track' ? `${subjectId} ${startTime} ${endTime}` : (subjectId ?? 'none');
