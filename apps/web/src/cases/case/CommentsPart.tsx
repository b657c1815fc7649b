import { mdiFormatStrikethroughVariant, mdiPencilOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import {
  CASE_COMMENT_EDIT_MS,
  CASE_COMMENT_MAX,
  type CaseComment,
  type CaseRow,
  isAdmin,
  isNoGuest,
} from '@osprey/contract';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { useActor } from '../../api/session.ts';
import { fill, formatTime, plainText } from '../../base/format.ts';
import { useNowMs } from '../../base/useNowMs.ts';
import { Action } from '../../ui/Action.tsx';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { useHoldTyped } from '../../ui/dialog/typed.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { FailedNotice } from '../../ui/notice/FailedNotice.tsx';
import { TimeText } from '../../ui/TimeText.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { texts } from './texts.ts';
import type { Comments } from './useComments.ts';

type Props = { row: CaseRow; listed: Comments };

const words = texts.comments;

/** Comments on the case, with a field to write a comment. */
export function CommentsPart({ row, listed }: Props) {
  const actor = useActor();
  const [editing, setEditing] = useState<string | null>(null);
  const [striking, setStriking] = useState<CaseComment | null>(null);
  const { comments, loading, error, refetch } = listed;
  if (error !== null && comments.length === 0) {
    return <FailedNotice title={words.failed} error={error} onRetry={refetch} />;
  }
  return (
    <Box sx={{ p: 3, display: 'grid', gap: 3, alignContent: 'start' }}>
      {!loading && comments.length === 0 && <Box sx={{ color: 'text.secondary' }}>{words.none}</Box>}
      <Box component="ol" aria-label={words.label} sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 3 }}>
        {comments.map((comment) => (
          <Box component="li" key={comment._id}>
            <Head comment={comment}>
              {comment.own && !comment.struck && (
                <WhileEditable created={comment.created}>
                  <Action
                    size="small"
                    label={fill(words.edit, { time: formatTime(comment.created) })}
                    icon={mdiPencilOutline}
                    onClick={() => setEditing(comment._id)}
                  />
                </WhileEditable>
              )}
              {(comment.own || isAdmin(actor)) && !comment.struck && (
                <Action
                  size="small"
                  label={fill(words.strike, { time: formatTime(comment.created) })}
                  icon={mdiFormatStrikethroughVariant}
                  onClick={() => setStriking(comment)}
                />
              )}
            </Head>
            {editing === comment._id ? (
              <CommentForm
                first={comment.text}
                label={fill(words.edit, { time: formatTime(comment.created) })}
                submit={texts.save}
                onSubmit={(text) => listed.update(comment._id, text)}
                onDone={() => setEditing(null)}
                onCancel={() => setEditing(null)}
              />
            ) : (
              <Box
                component={comment.struck ? 's' : 'div'}
                sx={{
                  whiteSpace: 'pre-line',
                  overflowWrap: 'anywhere',
                  ...(comment.struck && { color: 'text.secondary' }),
                }}
              >
                {plainText(comment.text)}
              </Box>
            )}
          </Box>
        ))}
      </Box>
      {isNoGuest(actor) && (
        <CommentForm first="" label={words.field} help={words.help} submit={words.add} onSubmit={listed.add} />
      )}
      {striking && (
        <ConfirmDialog
          title={words.strikeTitle}
          mark={<ShownMark label={row.securityClassification} marked={row.marked} />}
          confirmText={words.strikeConfirm}
          onCancel={() => setStriking(null)}
          onConfirm={() => {
            setStriking(null);
            void listed.strike(striking._id);
          }}
        >
          {words.strikeText}
        </ConfirmDialog>
      )}
    </Box>
  );
}

function Head({ comment, children }: { comment: CaseComment; children: ReactNode }) {
  const notes = [...(comment.edited === null ? [] : [words.edited]), ...(comment.struck ? [words.struck] : [])];
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 28 }}>
      <Box component="span" sx={{ fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 }}>
        {plainText(comment.author)}
      </Box>
      <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
        <TimeText timeUs={comment.created} />
        {notes.length > 0 && `, ${notes.join(', ')}`}
      </Box>
      <Box sx={{ ml: 'auto', display: 'flex' }}>{children}</Box>
    </Box>
  );
}

/** Renders its children only as long as the comment may still be changed. */
function WhileEditable({ created, children }: { created: number; children: ReactNode }) {
  return useNowMs() < created / 1000 + CASE_COMMENT_EDIT_MS ? children : null;
}

type FormProps = {
  first: string;
  label: string;
  help?: string;
  submit: string;
  onSubmit: (text: string) => Promise<boolean>;
  onDone?: () => void;
  onCancel?: () => void;
};

function CommentForm({ first, label, help, submit, onSubmit, onDone, onCancel }: FormProps) {
  const [text, setText] = useState(first);
  const [saving, setSaving] = useState(false);
  useHoldTyped(text !== first);

  async function save(event?: FormEvent) {
    event?.preventDefault();
    if (text.trim() === '' || saving) return;
    setSaving(true);
    const saved = await onSubmit(text.trim());
    setSaving(false);
    if (!saved) return;
    setText('');
    onDone?.();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
    if (event.key === 'Escape') onCancel?.();
  }

  return (
    <Box component="form" noValidate onSubmit={(event) => void save(event)} sx={{ display: 'grid', gap: 2 }}>
      <Field
        label={label}
        {...(help !== undefined && { help })}
        multiline
        minRows={2}
        maxRows={8}
        autoFocus={onCancel !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        slotProps={{ htmlInput: { maxLength: CASE_COMMENT_MAX } }}
      />
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'flex-end' }}>
        {onCancel && <Button onClick={onCancel}>{ui.cancel}</Button>}
        <Button type="submit" disabled={saving || text.trim() === ''}>
          {submit}
        </Button>
      </Box>
    </Box>
  );
}
