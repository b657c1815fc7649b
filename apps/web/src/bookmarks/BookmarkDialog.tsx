import { Box, Typography } from '@mui/material';
import { BOOKMARK_COLOR, BOOKMARK_TEXT_MAX, BOOKMARK_TITLE_MAX, type Bookmark } from '@osprey/contract';
import { useState } from 'react';
import { fill, formatClockMs } from '../base/format.ts';
import type { MarkedMission } from '../missionview/feature.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { ColourField } from '../ui/fields/ColourField.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { TagsField } from '../ui/fields/TagsField.tsx';
import { Hint } from '../ui/Hint.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { texts } from './texts.ts';
import { type BookmarkForm, type MarkedFrame, useBookmarkActs } from './useBookmarkActs.ts';
import { useBookmarks } from './useBookmarks.ts';

/**
 * Subject of the dialog: a frame to be bookmarked, with the name of its sensor, or an existing bookmark to be changed.
 */
export type Editing = { frame: MarkedFrame; sensorName: string } | { bookmark: Bookmark };

type Props = { mission: MarkedMission; editing: Editing; onClose: () => void };

const words = texts.fields;

const formOf = (editing: Editing): BookmarkForm =>
  'bookmark' in editing
    ? (({ title, text, tags, color }) => ({ title, text, tags, color }))(editing.bookmark)
    : { title: '', text: '', tags: [], color: BOOKMARK_COLOR };

/** Dialog to create a bookmark, or to change an existing one. */
export function BookmarkDialog({ mission, editing, onClose }: Props) {
  const { create, update } = useBookmarkActs();
  const { bookmarks } = useBookmarks(mission._id);
  const [first] = useState(() => formOf(editing));
  const [form, setForm] = useState(first);
  const [asked, setAsked] = useState(false);
  const [saving, setSaving] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const isNew = 'frame' in editing;
  const change = (fields: Partial<BookmarkForm>) => setForm((before) => ({ ...before, ...fields }));
  const isEmpty = form.title.trim() === '';
  const dirty = JSON.stringify(form) !== JSON.stringify(first);
  const existing = [...new Set(bookmarks.flatMap(({ tags }) => tags))].sort();
  const [sensor, timeUs] = isNew
    ? [editing.sensorName, editing.frame.timeUs]
    : [editing.bookmark.sensorName ?? '', editing.bookmark.time];

  async function submit() {
    setAsked(true);
    if (isEmpty || saving) return;
    setSaving(true);
    const requested = { ...form, title: form.title.trim() };
    const outcome = isNew
      ? await create(editing.frame, requested)
      : await update(replaced(editing.bookmark), requested);
    setSaving(false);
    if (outcome === 'conflict') setConflict(true);
    else if (outcome !== null) onClose();
  }

  /**
   * Returns the version to be replaced when saving: the bookmark as it was opened or, after a conflict, the newest
   * version in the list. The list is updated continuously when others change it.
   */
  const replaced = (bookmark: Bookmark) =>
    (isConflict && bookmarks.find(({ _id }) => _id === bookmark._id)) || bookmark;

  return (
    <FormDialog
      title={isNew ? texts.create : texts.edit}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      width={520}
      dirty={dirty}
      onClose={onClose}
      onSubmit={() => void submit()}
      aside={
        <Typography variant="caption" sx={{ color: 'text.secondary', flex: 1 }}>
          {fill(texts.at, { sensor, time: formatClockMs(timeUs) })}
        </Typography>
      }
      submitLabel={isNew ? texts.submitCreate : texts.submitUpdate}
      canSubmit={!saving}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        {isConflict && <Hint>{texts.changedMeanwhile}</Hint>}
        <Field
          label={words.title}
          required
          autoFocus
          value={form.title}
          onChange={(event) => change({ title: event.target.value })}
          problem={asked && isEmpty ? texts.emptyTitle : undefined}
          slotProps={{ htmlInput: { maxLength: BOOKMARK_TITLE_MAX } }}
        />
        <Field
          label={words.text}
          multiline
          minRows={2}
          maxRows={8}
          value={form.text}
          onChange={(event) => change({ text: event.target.value })}
          slotProps={{ htmlInput: { maxLength: BOOKMARK_TEXT_MAX } }}
        />
        <TagsField
          label={words.tags}
          help={words.tagsHelp}
          existing={existing}
          value={form.tags}
          onChange={(tags) => change({ tags })}
        />
        <ColourField
          label={words.color}
          help={words.colorHelp}
          value={form.color}
          onChange={(color) => change({ color })}
        />
      </Box>
    </FormDialog>
  );
}
