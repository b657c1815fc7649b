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

/** Cells of a sheet are pasted with tabs between them. */
const PARTED_BY = /[,\p{Cc}]/u;

/** Pasted text may hold what nobody sees, such as the zero width space: the server takes none of it. */
const plain = (text: string) => text.replace(/\p{C}/gu, '').trim();

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
        const tags = picked.flatMap((text) => text.split(PARTED_BY)).map((text) => plain(text.slice(0, TAG_MAX)));
        onChange([...new Set(tags.filter((text) => text !== ''))].slice(0, TAGS_MAX));
      }}
      renderInput={(params) => <Field {...params} label={label} help={help} problem={problem} />}
    />
  );
}
