import { mdiPencilOutline, mdiTrashCanOutline } from '@mdi/js';
import type { DocumentRow } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { Action } from '../ui/Action.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { DeleteDocument } from './DeleteDocument.tsx';
import { mayDo } from './rows.ts';
import { texts } from './texts.ts';

const DocumentDialog = laterDialog(async () => (await import('./DocumentDialog.tsx')).DocumentDialog);

const words = texts.toolbar;

/** Buttons to edit and delete the open document, used if its viewer replaces the table and its toolbar. */
export function ViewerActs({ document, onDeleted }: { document: DocumentRow; onDeleted: () => void }) {
  const actor = useActor();
  const [doing, setDoing] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDoing(null);
  return (
    <>
      <Action
        label={words.edit}
        icon={mdiPencilOutline}
        disabled={!mayDo(actor, 'document.update', document)}
        onClick={() => setDoing('edit')}
      />
      <Action
        label={words.remove}
        icon={mdiTrashCanOutline}
        disabled={!mayDo(actor, 'document.delete', document)}
        onClick={() => setDoing('delete')}
      />
      {doing === 'edit' && <DocumentDialog document={document} onClose={close} />}
      {doing === 'delete' && <DeleteDocument document={document} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}
