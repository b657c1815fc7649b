import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { Moment, OpenView } from './feature.ts';
import { texts } from './texts.ts';

type RecordedMoment = Moment & { recorded: NonNullable<Moment['recorded']> };

/**
 * Returns functions that give the frame on screen, for what is made from it. If there is none, they show a message with
 * the reason and return null.
 */
export function useMoment(view: OpenView) {
  const { show } = useSnackbar();

  function onScreen(): Moment | null {
    const moment = view.moment();
    if (moment === null) show(texts.noPicture, 'warning');
    return moment;
  }
  function unrecorded(): null {
    const record = view.view === 'live' ? view.record : null;
    if (record) show(texts.unrecorded, 'warning', { label: texts.record, onClick: record });
    else show(texts.notRecorded, 'warning');
    return null;
  }
  /** Returns the frame on screen if it is recorded in a mission. */
  function recorded(): RecordedMoment | null {
    if (view.view === 'live' && view.stream !== null && view.marked === null) return unrecorded();
    const moment = onScreen();
    if (moment === null) return null;
    return moment.recorded === null ? unrecorded() : { ...moment, recorded: moment.recorded };
  }
  return { onScreen, recorded };
}
