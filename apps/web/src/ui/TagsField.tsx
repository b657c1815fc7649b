import { Autocomplete } from '@mui/material';
import { TAG_MAX, TAGS_MAX } from '@osprey/contract';
import { Field } from './Field.tsx';

type Props = {
  label: string;
  help: string;
  /** Tags that are in use already. */
  known: readonly string[];
  value: readonly string[];
  problem?: string | undefined;
  onChange: (tags: string[]) => void;
};

/** Free text; a comma ends a tag, because commas part them on the wire. */
export function TagsField({ label, help, known, value, problem, onChange }: Props) {
  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      options={known as string[]}
      value={value as string[]}
      onChange={(_event, picked) => {
        const tags = picked.flatMap((text) => text.split(',')).map((text) => text.trim().slice(0, TAG_MAX));
        onChange([...new Set(tags.filter((text) => text !== ''))].slice(0, TAGS_MAX));
      }}
      renderInput={(params) => <Field {...params} label={label} help={help} problem={problem} />}
    />
  );
}
