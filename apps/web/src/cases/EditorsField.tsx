import { Autocomplete } from '@mui/material';
import { CASE_EDITORS_MAX } from '@osprey/contract';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { Field } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';
import type { CasePeople } from './useCasePeople.ts';

type Props = {
  people: CasePeople;
  /** Usernames of the editors. */
  value: readonly string[];
  onChange: (names: string[]) => void;
};

const words = texts.dialog;

/** Field to choose, by name, the users who may edit a case. */
export function EditorsField({ people, value, onChange }: Props) {
  const { byName, loading, error } = people;
  return (
    <Autocomplete
      multiple
      options={[...byName.keys()]}
      value={value as string[]}
      onChange={(_event, names) => onChange(names.slice(0, CASE_EDITORS_MAX))}
      loading={loading}
      filterSelectedOptions
      renderInput={(params) => (
        <Field
          {...params}
          label={words.editors}
          help={words.editorsHelp}
          problem={error === null ? undefined : fill(words.editorsUnread, { text: errorText(error) })}
        />
      )}
    />
  );
}
