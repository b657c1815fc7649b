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
  /** Parts to add: read when the button is pressed. Null: there are none, and the reason was shown. */
  of: () => Collected | null;
  /** Names one row. Left out: the button is for the chosen or open items. */
  title?: string;
  /** In place of the usual name. */
  label?: string;
  look?: 'icon' | 'button';
  onAdded?: () => void;
};

/** A button that puts something into a case; nothing for guests, who have no cases of their own. */
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
        // Clicks and keys in the dialog must not reach the table row around the button.
        <Box sx={{ display: 'contents' }} onClick={stop} onKeyDown={stop}>
          <AddToCaseDialog collected={collected} onClose={() => setCollected(null)} {...(onAdded && { onAdded })} />
        </Box>
      )}
    </>
  );
}
