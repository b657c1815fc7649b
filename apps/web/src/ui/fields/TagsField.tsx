import { Autocomplete } from '@mui/material';
import { TAG_MAX, TAGS_MAX } from '@osprey/contract';
import type { ClipboardEvent } from 'react';
import { Field } from './Field.tsx';

type Props = {
  label: string;
  help: string;
  /** Tags that already exist. */
  existing: readonly string[];
  value: readonly string[];
  problem?: string | undefined;
  onChange: (tags: string[]) => void;
};

/** Separators of tags. Cells pasted from a spreadsheet are separated by tabs and line breaks. */
const PARTED_BY = /[,\p{Cc}]/u;

/** Removes invisible characters, such as the zero width space, which pasted text may contain and the server refuses. */
const plain = (text: string) => text.replace(/\p{C}/gu, '').trim();

/** Shortens a tag after removing invisible characters; otherwise a space after the comma would cost the last letter. */
const tagOf = (text: string) => plain(plain(text).slice(0, TAG_MAX));

/** Field for tags as free text. A comma ends a tag, since tags are separated by commas in requests. */
export function TagsField({ label, help, existing, value, problem, onChange }: Props) {
  function setTags(texts: readonly string[]) {
    const tags = texts.flatMap((text) => text.split(PARTED_BY)).map(tagOf);
    onChange([...new Set(tags.filter((text) => text !== ''))].slice(0, TAGS_MAX));
  }

  /** Splits pasted text at line breaks, which the field would replace by spaces. */
  function takeLines(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    setTags([...value, text]);
  }

  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      options={existing as string[]}
      value={value as string[]}
      onChange={(_event, picked) => setTags(picked)}
      renderInput={(params) => <Field {...params} label={label} help={help} problem={problem} onPaste={takeLines} />}
    />
  );
}
