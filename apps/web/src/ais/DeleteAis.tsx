import { AppError, type Classification, deleteAisTargets, deleteVesselInfo, getAisSpan } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill, formatCount, formatTimeSeconds } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { type AisFilter, hasRange } from './ais-filter.ts';
import { texts } from './texts.ts';

const words = texts.deletion;

type Props = { what: 'targets' | 'vessels'; filter: AisFilter; label: Classification; onClose: () => void };

/** Asks for confirmation before ships are deleted, with their number and the time range that they cover. */
export function DeleteAis({ what, filter, label, onClose }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const mission = filter.mission === null ? {} : { mission: filter.mission.id };
  const range = what === 'targets' && hasRange(filter) ? rangeOf(filter) : {};
  const query = { ...mission, ...range };
  const span = useQuery({
    queryKey: ['ais', 'span', query],
    queryFn: ({ signal }) => api.call(getAisSpan, { query }, { signal }),
    gcTime: 0,
  });

  async function remove() {
    setBusy(true);
    try {
      const answer =
        what === 'targets'
          ? await api.call(deleteAisTargets, { query })
          : await api.call(deleteVesselInfo, { query: mission });
      show(answer.message, 'success');
      void queries.invalidateQueries({ queryKey: ['ais'] });
    } catch (error) {
      const failed = what === 'targets' ? words.failedTargets : words.failedVessels;
      show(error instanceof AppError ? errorText(error) : failed, 'error');
    }
    onClose();
  }

  const found = span.data;
  const isNothing = what === 'targets' && found?.positions === 0;
  return (
    <ConfirmDialog
      danger
      mark={<LabelMark label={label} />}
      title={what === 'targets' ? words.title : words.vesselTitle}
      confirmText={words.yes}
      cancelText={words.cancel}
      busy={busy || found === undefined || isNothing}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      <p>{span.error !== null ? fill(texts.failed, { message: errorText(span.error) }) : questionOf(what, found)}</p>
      {filter.list !== null && <p>{words.allShips}</p>}
      <p>{filter.mission === null ? words.live : fill(words.mission, { mission: filter.mission.name })}</p>
    </ConfirmDialog>
  );
}

const rangeOf = ({ start, end }: AisFilter) => ({
  ...(start !== null && { start: String(start) }),
  ...(end !== null && { end: String(end) }),
});

type Span = { stations: number; positions: number; first: number | null; last: number | null };

function questionOf(what: Props['what'], found: Span | undefined): string {
  if (found === undefined) return words.counting;
  const stations = formatCount(found.stations, words.stations);
  if (what === 'vessels') return fill(words.vesselQuestion, { stations });
  if (found.first === null || found.last === null) return words.none;
  return fill(words.question, {
    positions: formatCount(found.positions, words.positions),
    stations,
    first: formatTimeSeconds(found.first),
    last: formatTimeSeconds(found.last),
  });
}
