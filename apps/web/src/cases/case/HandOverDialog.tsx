import { Autocomplete, Box, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { type CaseRow, handOverCase } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, plainText } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { useCasePeople } from '../useCasePeople.ts';
import { texts } from './texts.ts';

const words = texts.handOverDialog;

/** Dialog that hands a case over to another owner. */
export function HandOverDialog({ row, onClose }: { row: CaseRow; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const people = useCasePeople(row._id, 'owner');
  const [name, setName] = useState<string | null>(null);
  const [staysEditor, setStaysEditor] = useState(true);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const { _id: id, number } = row;
  const problem =
    people.error === null
      ? tried && name === null && words.ownerMissing
      : fill(words.unread, { text: errorText(people.error) });

  async function save() {
    setTried(true);
    const owner = name === null ? undefined : people.byName.get(name);
    if (owner === undefined || busy) return;
    setBusy(true);
    try {
      const body = { owner, ...(staysEditor && row.ownerId !== null && { staysEditor }) };
      queries.setQueryData(['cases', 'one', id], await api.call(handOverCase, { params: { id }, body }));
      show(fill(words.done, { number, owner: plainText(name!) }));
      onClose();
    } catch (error) {
      show(fill(words.failed, { text: errorText(error) }), 'error');
      setBusy(false);
    }
    await queries.invalidateQueries({ queryKey: ['cases'] });
  }

  return (
    <FormDialog
      title={fill(words.title, { number })}
      mark={<ShownMark label={row.securityClassification} marked={row.marked} />}
      dirty={name !== null}
      onClose={onClose}
      onSubmit={() => void save()}
      submitLabel={words.submit}
      canSubmit={!busy}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Typography variant="body2">{words.lead}</Typography>
        <Autocomplete
          options={[...people.byName.keys()]}
          value={name}
          onChange={(_event, next) => setName(next)}
          getOptionLabel={plainText}
          loading={people.loading}
          loadingText={words.searching}
          noOptionsText={words.nobody}
          autoHighlight
          renderInput={(params) => (
            <Field
              {...params}
              label={words.owner}
              required
              autoFocus
              help={words.ownerHelp}
              problem={problem || undefined}
            />
          )}
        />
        {row.ownerId !== null && (
          <FormControlLabel
            control={<Checkbox checked={staysEditor} onChange={(_event, checked) => setStaysEditor(checked)} />}
            label={fill(words.staysEditor, { owner: plainText(row.owner) })}
          />
        )}
      </Box>
    </FormDialog>
  );
}
