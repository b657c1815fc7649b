import { mdiFolderPlusOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { can } from '@osprey/contract';
import { type SyntheticEvent, useState } from 'react';
import { useActor } from '../../api/session.ts';
import { fill } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { laterDialog } from '../../ui/dialog/later-dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Collected } from './collected.ts';
import { texts } from './texts.ts';

const AddToCaseDialog = laterDialog(async () => (await import('./AddToCaseDialog.tsx')).AddToCaseDialog);

const stop = (event: SyntheticEvent) => event.stopPropagation();

type Props = {
  /**
   * Returns the parts to add; called when the button is clicked. Null: there are none, and the user has seen the
   * reason.
   */
  of: () => Collected | null;
  /** Title of the row to which the button belongs. Left out: the button is for the selected or open items. */
  title?: string;
  /** Label used instead of the usual one. */
  label?: string;
  look?: 'icon' | 'button';
  onAdded?: () => void;
};

/** Button that adds something to a case. Renders nothing for guests, who cannot have cases. */
export function AddToCase({ of, title, label, look = 'icon', onAdded }: Props) {
  const actor = useActor();
  const [collected, setCollected] = useState<Collected | null>(null);
  if (!can(actor, 'case.createAny').allowed) return null;
  const open = () => setCollected(of());
  return (
    <>
      {look === 'icon' ? (
        <Action
          label={label ?? (title === undefined ? texts.add : fill(texts.addOf, { title }))}
          icon={mdiFolderPlusOutline}
          onClick={open}
        />
      ) : (
        <Button variant="text" startIcon={<Icon path={mdiFolderPlusOutline} />} onClick={open}>
          {texts.add}
        </Button>
      )}
      {collected && (
        // Stops clicks and key presses in the dialog from reaching the table row around the button.
        <Box sx={{ display: 'contents' }} onClick={stop} onKeyDown={stop}>
          <AddToCaseDialog collected={collected} onClose={() => setCollected(null)} {...(onAdded && { onAdded })} />
        </Box>
      )}
    </>
  );
}
