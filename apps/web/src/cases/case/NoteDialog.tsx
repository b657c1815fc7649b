import { mdiImagePlusOutline } from '@mdi/js';
import { Box, Button, MenuItem, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { CASE_NOTE_MAX, CASE_PART_TITLE_MAX, type CasePart, type CaseRow } from '@osprey/contract';
import { useRef, useState } from 'react';
import { plainText } from '../../base/format.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { Menu } from '../../ui/Floating.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { NoteText } from './NoteText.tsx';
import { texts } from './texts.ts';
import type { PartActs } from './usePartActs.ts';

type Props = {
  row: CaseRow;
  /** The note to edit; null: a new note. */
  note: CasePart | null;
  parts: readonly CasePart[];
  acts: PartActs;
  onClose: () => void;
};

const words = texts.note;

/** Dialog for the title and text of a note, with a preview. Pictures of the case can be inserted. */
export function NoteDialog({ row, note, parts, acts, onClose }: Props) {
  const [first] = useState({ title: note?.title ?? '', text: note?.text ?? '' });
  const [form, setForm] = useState(first);
  const [mode, setMode] = useState<'write' | 'preview'>('write');
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const [picking, setPicking] = useState<HTMLElement | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const pictures = parts.filter(({ thumbnailUrl, kind }) => thumbnailUrl !== null && kind !== 'note');
  const isEmpty = form.title.trim() === '';

  async function submit() {
    setTried(true);
    if (isEmpty || saving) return;
    setSaving(true);
    const requested = { title: form.title.trim(), text: form.text };
    const outcome =
      note === null
        ? (await acts.addNote(requested)) && 'done'
        : await acts.update(note, requested, { replaces: isConflict });
    setSaving(false);
    if (outcome === 'done') onClose();
    else if (outcome === 'conflict') setConflict(true);
  }

  /** Inserts a picture at the cursor, on a separate line. */
  function insert(part: CasePart) {
    setPicking(null);
    const at = field.current?.selectionStart ?? form.text.length;
    const [before, after] = [form.text.slice(0, at), form.text.slice(at)];
    const title = plainText(part.title).replace(/[[\]\\\n]/g, ' ');
    const gap = before === '' || before.endsWith('\n') ? '' : '\n\n';
    setForm({ ...form, text: `${before}${gap}![${title}](part:${part._id})\n${after}`.slice(0, CASE_NOTE_MAX) });
  }

  return (
    <FormDialog
      title={note === null ? words.create : words.edit}
      mark={<ShownMark label={row.securityClassification} marked={row.marked} />}
      width={720}
      dirty={JSON.stringify(form) !== JSON.stringify(first)}
      onClose={onClose}
      onSubmit={() => void submit()}
      submitLabel={note === null ? words.submitCreate : texts.save}
      canSubmit={!saving}
    >
      <Box sx={{ display: 'grid', gap: 4, '& > *': { minWidth: 0 } }}>
        {isConflict && <Hint>{texts.changedMeanwhile}</Hint>}
        <Field
          label={words.title}
          required
          autoFocus
          value={form.title}
          onChange={(event) => setForm({ ...form, title: event.target.value })}
          problem={tried && isEmpty ? words.titleMissing : undefined}
          slotProps={{ htmlInput: { maxLength: CASE_PART_TITLE_MAX } }}
        />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={mode}
            aria-label={words.modes}
            onChange={(_event, next: typeof mode | null) => next && setMode(next)}
          >
            <ToggleButton value="write">{words.write}</ToggleButton>
            <ToggleButton value="preview">{words.preview}</ToggleButton>
          </ToggleButtonGroup>
          {pictures.length > 0 && mode === 'write' && (
            <Button
              variant="text"
              startIcon={<Icon path={mdiImagePlusOutline} />}
              aria-haspopup="menu"
              onClick={(event) => setPicking(event.currentTarget)}
            >
              {words.picture}
            </Button>
          )}
          <Menu anchorEl={picking} open={picking !== null} onClose={() => setPicking(null)}>
            {pictures.map((part) => (
              <MenuItem key={part._id} onClick={() => insert(part)} sx={{ gap: 2 }}>
                <Box
                  component="img"
                  src={part.thumbnailUrl ?? ''}
                  alt=""
                  loading="lazy"
                  sx={{ width: 48, height: 27, objectFit: 'cover', borderRadius: 0.5 }}
                />
                {plainText(part.title)}
              </MenuItem>
            ))}
          </Menu>
        </Box>
        {mode === 'write' ? (
          <Field
            label={words.text}
            help={words.help}
            multiline
            minRows={10}
            maxRows={18}
            value={form.text}
            onChange={(event) => setForm({ ...form, text: event.target.value })}
            slotProps={{ htmlInput: { maxLength: CASE_NOTE_MAX, ref: field } }}
          />
        ) : (
          <Box
            role="region"
            aria-label={words.preview}
            tabIndex={0}
            sx={{
              minHeight: 240,
              maxHeight: 420,
              overflow: 'auto',
              p: 3,
              border: 1,
              borderColor: 'divider',
              borderRadius: 1.5,
            }}
          >
            {form.text.trim() === '' ? words.empty : <NoteText text={form.text} parts={parts} />}
          </Box>
        )}
      </Box>
    </FormDialog>
  );
}
