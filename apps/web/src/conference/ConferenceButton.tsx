import { mdiAccountVoice } from '@mdi/js';
import { classificationRank } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { fill } from '../base/format.ts';
import { useHighestLabel } from '../base/shown-labels.ts';
import { CountButton } from '../ui/CountButton.tsx';
import { later } from '../ui/later.tsx';
import { texts } from './button-texts.ts';
import { labelNotifier } from './label-channel.ts';
import { useConferencesCount, useOffersConference } from './useConference.ts';

const RoomsDialog = later(async () => (await import('./RoomsDialog.tsx')).RoomsDialog);

/**
 * Button that opens the list of conference rooms and shows the number of occupied rooms. Renders nothing if conferences
 * are not offered.
 */
export function ConferenceButton() {
  const [open, setOpen] = useState(false);
  const offered = useOffersConference();
  const count = useConferencesCount();
  useReportLabel(offered);
  if (!offered) return null;
  return (
    <>
      <CountButton
        label={fill(texts.open, { count })}
        title={texts.title}
        icon={mdiAccountVoice}
        count={count}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {open && <RoomsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/**
 * Reports the highest label on this page to a call in another window of this browser. If the call shares the screen, it
 * stops sharing when the label is too high for the room.
 */
function useReportLabel(offered: boolean): void {
  const rank = classificationRank(useHighestLabel());
  const notifier = useRef<ReturnType<typeof labelNotifier> | null>(null);
  useEffect(() => {
    if (!offered) return;
    const opened = labelNotifier();
    notifier.current = opened;
    return () => {
      notifier.current = null;
      opened.close();
    };
  }, [offered]);
  useEffect(() => {
    if (offered) notifier.current?.shows(rank);
  }, [offered, rank]);
}
