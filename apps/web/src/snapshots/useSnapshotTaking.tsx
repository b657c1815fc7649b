import { can } from '@osprey/contract';
import { type ReactNode, useState } from 'react';
import { useActor } from '../api/session.ts';
import { useUsergroups } from '../api/useUsergroups.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { audienceOf } from '../ui/fields/sharing.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { type SnapshotOf, shareOf, sourceFields, titleOf } from './moment.ts';
import { texts } from './texts.ts';
import { useTakeSnapshot } from './useTakeSnapshot.ts';

const SnapshotDialog = laterDialog(async () => (await import('./SnapshotDialog.tsx')).SnapshotDialog);

type Taking = {
  /** Opens the dialog for title and rights. */
  ask: (of: SnapshotOf) => void;
  /** Takes a snapshot without a dialog, with the rights of its source. */
  takeAtOnce: (of: SnapshotOf) => void;
  dialog: ReactNode;
};

/** Provides snapshots for a page; shows a message if the user may not take one. */
export function useSnapshotTaking(): Taking {
  const actor = useActor();
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const takeSnapshot = useTakeSnapshot();
  const [asked, setAsked] = useState<SnapshotOf | null>(null);
  const mayTake = can(actor, 'document.createAny').allowed;

  const whereAllowed = (act: (of: SnapshotOf) => void) => (of: SnapshotOf) => {
    if (mayTake) act(of);
    else show(texts.notAllowed, 'warning');
  };

  return {
    ask: whereAllowed(setAsked),
    takeAtOnce: whereAllowed((of) => {
      const share = shareOf(of, actor, groups);
      void takeSnapshot({
        ...sourceFields(of),
        title: titleOf(of.timeUs),
        securityClassification: share.label,
        ...audienceOf(share, groups),
      });
    }),
    dialog: asked && <SnapshotDialog of={asked} onClose={() => setAsked(null)} />,
  };
}
