import { Box, FormControlLabel, Switch, Typography } from '@mui/material';
import { type DocumentRow, isAdmin } from '@osprey/contract';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useActor } from '../api/session.ts';
import type { DocumentForm } from './form.ts';
import { mayDo } from './rows.ts';
import { texts } from './texts.ts';

const words = texts.dialog;

type Props = { form: UseFormReturn<DocumentForm>; document: DocumentRow | null };

/**
 * Field for the edit lock of a document. On a new document only admin roles may set it, on an existing one only
 * accounts that administer all its groups.
 */
export function LockField({ form, document }: Props) {
  const actor = useActor();
  const [restricted, usergroups, everyone] = useWatch({
    control: form.control,
    name: ['restricted', 'usergroups', 'everyone'],
  });
  const isInside = !everyone && usergroups.length > 0 && usergroups.every((id) => actor.administered.includes(id));
  const mayNew = isAdmin(actor) || (actor.role === 'groupAdmin' && isInside);
  const may = document === null ? mayNew : mayDo(actor, 'document.lock', document);
  return (
    <Box>
      <FormControlLabel
        control={
          <Switch
            checked={restricted}
            disabled={!may}
            onChange={(event) => form.setValue('restricted', event.target.checked, { shouldDirty: true })}
          />
        }
        label={texts.locked}
      />
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {may ? words.lockHint : words.lockForbidden}
      </Typography>
    </Box>
  );
}
