import { Link } from '@mui/material';
import type { Updates } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatCount, NONE } from '../base/format.ts';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { texts } from './texts.ts';
import { useUpdates } from './useUpdates.ts';

const UpdatesDialog = laterDialog(async () => (await import('./UpdatesDialog.tsx')).UpdatesDialog);

const words = texts.updates;

/** Line of the server card that states whether there is a newer version, with a link to it. */
export function UpdateFact() {
  const { data } = useUpdates();
  const [open, setOpen] = useState(false);
  if (data === undefined) return NONE;
  if (!data.isSet) return texts.cards.server.noUpdate;
  return (
    <>
      <Link component="button" variant="body2" onClick={() => setOpen(true)} sx={{ textAlign: 'right' }}>
        {summaryOf(data)}
      </Link>
      {open && <UpdatesDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function summaryOf({ problem, packages, running, last }: Updates): string {
  if (running !== null) return fill(words.running, { version: running.version });
  // The failure is shown until its package is removed from the folder, or another update succeeds.
  const failed = packages.some(({ version }) => version === last?.version) ? last : null;
  if (failed?.result === 'rolledBack') return fill(words.backShort, { version: failed.version, from: failed.from });
  if (failed?.result === 'failed') return fill(words.failedShort, { version: failed.version });
  if (problem !== null) return words.unusable;
  const newest = packages.find(({ state }) => state !== 'refused');
  if (newest !== undefined) return fill(words.there, { version: newest.version });
  return packages.length === 0 ? words.none : formatCount(packages.length, words.refused);
}
