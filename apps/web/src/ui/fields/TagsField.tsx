import { Autocomplete } from '@mui/material';
import { TAG_MAX, TAGS_MAX } from '@osprey/contract';
import type { ClipboardEvent } from 'react';
import { Field } from './Field.tsx';

type Props = {
  label: string;
  help: string;
  /** Tags that are in use already. */
  existing: readonly string[];
  value: readonly string[];
  problem?: string | undefined;
  onChange: (tags: string[]) => void;
};

/** Cells of a sheet are pasted with tabs and line breaks between them. */
const PARTED_BY = /[,\p{Cc}]/u;

/** Pasted text may hold invisible characters, such as the zero width space: the server takes none of them. */
const plain = (text: string) => text.replace(/\p{C}/gu, '').trim();

/** Cut after invisible characters are removed: a space after the comma would else cost the last letter. */
const tagOf = (text: string) => plain(plain(text).slice(0, TAG_MAX));

/** Free text; a comma ends a tag, because commas part them on the wire. */
export function TagsField({ label, help, existing, value, problem, onChange }: Props) {
  function take(texts: readonly string[]) {
    const tags = texts.flatMap((text) => text.split(PARTED_BY)).map(tagOf);
    onChange([...new Set(tags.filter((text) => text !== ''))].slice(0, TAGS_MAX));
  }

  /** Line breaks would be spaces once they are in the field. */
  function takeLines(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    take([...value, text]);
  }

  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      options={existing as string[]}
      value={value as string[]}
      onChange={(_event, picked) => take(picked)}
      renderInput={(params) => <Field {...params} label={label} help={help} problem={problem} onPaste={takeLines} />}
    />
  );
}
