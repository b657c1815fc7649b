import { useMediaQuery } from '@mui/material';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useActor, useSession } from '../../api/session.ts';
import { PHONE_VIEW } from '../../base/sizes.ts';
import { isTourDue, noteTourBegun, onTourAsked, tourAskedBy } from '../../base/tour.ts';
import { later } from '../../ui/later.tsx';

const Tour = later(async () => (await import('./Tour.tsx')).Tour, { optional: true });

/**
 * Shows the tour over the view of a mission, for signed-in accounts on a screen with enough room. It starts on request,
 * and once automatically: when the account that set up the server opens its first sample.
 */
export function TourHost({ isSample }: { isSample: boolean }) {
  const { username } = useActor();
  const { authenticated } = useSession();
  const phone = useMediaQuery(PHONE_VIEW);
  const may = authenticated && !phone;
  const asked = useSyncExternalStore(onTourAsked, tourAskedBy) === username;
  /** Number of the current tour; 0 while none is shown. */
  const [run, setRun] = useState(0);
  useEffect(() => {
    if (!may || !(asked || (isSample && isTourDue(username)))) return;
    noteTourBegun(username);
    setRun((before) => before + 1);
  }, [may, asked, isSample, username]);
  return run === 0 || !may ? null : <Tour key={run} onEnd={() => setRun(0)} />;
}
