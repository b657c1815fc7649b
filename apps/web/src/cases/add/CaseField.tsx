import { Autocomplete, Box } from '@mui/material';
import type { CaseRow } from '@osprey/contract';
import { useState } from 'react';
import { fill, plainText } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useCaseSearch } from '../useCases.ts';
import { texts } from './texts.ts';

type Props = { value: CaseRow | null; onChange: (row: CaseRow | null) => void };

/** Field to choose one of the cases that the user may edit. */
export function CaseField({ value, onChange }: Props) {
  const [text, setText] = useState('');
  const found = useCaseSearch(text);
  return (
    <Autocomplete
      options={found.cases}
      value={value}
      onChange={(_event, row) => onChange(row)}
      onInputChange={(_event, typed, reason) => setText(reason === 'input' ? typed : '')}
      isOptionEqualToValue={(one, other) => one._id === other._id}
      getOptionLabel={nameOf}
      getOptionKey={({ _id }) => _id}
      filterOptions={(options) => options}
      loading={found.loading}
      loadingText={texts.searching}
      noOptionsText={text === '' ? texts.none : texts.noMatch}
      openOnFocus
      autoHighlight={text !== ''}
      renderOption={({ key, ...option }, row) => (
        <Box component="li" key={key} {...option} sx={{ gap: 2 }}>
          <Box component="span" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
            {nameOf(row)}
          </Box>
          <LabelMark label={row.securityClassification} marked={row.marked} />
        </Box>
      )}
      renderInput={(params) => (
        <Field
          {...params}
          autoFocus
          label={texts.case}
          help={texts.caseHelp}
          problem={found.error === null ? undefined : fill(texts.readFailed, { text: errorText(found.error) })}
        />
      )}
    />
  );
}

const nameOf = ({ number, name }: CaseRow): string => fill(texts.option, { number, name: plainText(name) });
