import { Alert, AlertTitle, Button } from '@mui/material';
import { can, showBackupKey } from '@osprey/contract';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { CopyDialog } from './CopyDialog.tsx';
import { texts } from './texts.ts';

const words = texts.key;

/**
 * Asks an administrator who has never viewed the backup key to view it and store it safely; shows the key on request.
 */
export function KeyNotice({ unseen }: { unseen: boolean }) {
  const api = useApi();
  const actor = useActor();
  const { show } = useSnackbar();
  const [shown, setShown] = useState<{ key: string; file: string } | null>(null);
  const mayShow = can(actor, 'backup.delete').allowed;

  async function ask() {
    try {
      setShown(await api.call(showBackupKey, {}));
    } catch (error) {
      show(fill(words.failed, { text: errorText(error) }), 'error');
    }
  }

  return (
    <>
      {unseen && (
        <Alert
          severity="warning"
          action={
            mayShow && (
              <Button variant="text" onClick={() => void ask()}>
                {words.show}
              </Button>
            )
          }
        >
          <AlertTitle>{words.title}</AlertTitle>
          {mayShow ? words.text : words.textOthers}
        </Alert>
      )}
      {shown && (
        <CopyDialog
          title={words.dialog}
          lead={fill(words.lead, { file: shown.file })}
          label={words.label}
          content={shown.key}
          copy={words.copy}
          copied={words.copied}
          done={words.done}
          once
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}
