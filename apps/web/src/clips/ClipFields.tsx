import { Box } from '@mui/material';
import { CLIP_NOTE_MAX, CLIP_TITLE_MAX } from '@osprey/contract';
import { Field } from '../ui/fields/Field.tsx';
import { TagsField } from '../ui/fields/TagsField.tsx';
import { texts } from './texts.ts';
import type { ClipForm } from './useClipActs.ts';

type Props = {
  form: ClipForm;
  onChange: (form: ClipForm) => void;
  /** True once the user has tried to save; required fields that are empty then show an error. */
  asked: boolean;
  focused?: boolean;
};

/** Fields for the title, note and tags of a clip. */
export const ClipFields = ({ form, onChange, asked, focused = false }: Props) => (
  <Box sx={{ display: 'grid', gap: 4 }}>
    <Field
      label={texts.titleField}
      required
      autoFocus={focused}
      {...(focused && { onFocus: ({ target }) => target.select() })}
      value={form.title}
      onChange={(event) => onChange({ ...form, title: event.target.value })}
      problem={asked && form.title.trim() === '' ? texts.emptyTitle : undefined}
      slotProps={{ htmlInput: { maxLength: CLIP_TITLE_MAX } }}
    />
    <Field
      label={texts.note}
      multiline
      minRows={2}
      maxRows={8}
      value={form.note}
      onChange={(event) => onChange({ ...form, note: event.target.value })}
      slotProps={{ htmlInput: { maxLength: CLIP_NOTE_MAX } }}
    />
    <TagsField
      label={texts.tags}
      help={texts.tagsHelp}
      existing={[]}
      value={form.tags}
      onChange={(tags) => onChange({ ...form, tags })}
    />
  </Box>
);
