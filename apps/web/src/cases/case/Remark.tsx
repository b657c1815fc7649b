import { mdiPencilOutline } from '@mdi/js';
import { Box, Button } from '@mui/material';
import { CASE_TEXT_MAX, type CasePart } from '@osprey/contract';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { fill, plainText } from '../../base/format.ts';
import { Action } from '../../ui/Action.tsx';
import { useHoldTyped } from '../../ui/dialog/typed.ts';
import { Field } from '../../ui/fields/Field.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { texts as ui } from '../../ui/texts.ts';
import { texts } from './texts.ts';
import type { PartActs } from './usePartActs.ts';

type Props = { part: CasePart; editable: boolean; acts: PartActs };

/** Remark on a part, which is edited in place. */
export function Remark({ part, editable, acts }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const [isConflict, setConflict] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const opened = useRef(part);
  const isOpen = typed !== null;
  useHoldTyped(isOpen && typed !== opened.current.remark);
  useEffect(() => {
    // After editing, the focus returns to the button that opened the field.
    if (!isOpen && wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const title = plainText(part.title);

  function open() {
    opened.current = part;
    setTyped(part.remark);
  }

  function close() {
    setTyped(null);
    setConflict(false);
  }

  async function save() {
    if (typed === null || saving) return;
    setSaving(true);
    const outcome = await acts.update(opened.current, { remark: typed.trim() }, { replaces: isConflict });
    setSaving(false);
    if (outcome === 'done') close();
    else if (outcome === 'conflict') setConflict(true);
  }

  function onKeyDown(event: KeyboardEvent) {
    // Keys typed here must not trigger the arrow keys of the list.
    event.stopPropagation();
    if (event.key === 'Escape') close();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
  }

  if (typed !== null) {
    return (
      <Box sx={{ display: 'grid', gap: 2, mt: 1 }}>
        {isConflict && <Hint>{texts.changedMeanwhile}</Hint>}
        <Field
          autoFocus
          multiline
          minRows={2}
          maxRows={8}
          label={fill(texts.remark, { title })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          slotProps={{ htmlInput: { maxLength: CASE_TEXT_MAX } }}
        />
        <Box sx={{ display: 'flex', gap: 2 }}>
          <Button variant="contained" color="primary" disabled={saving} onClick={() => void save()}>
            {texts.save}
          </Button>
          <Button onClick={close}>{ui.cancel}</Button>
        </Box>
      </Box>
    );
  }
  if (part.remark === '') {
    if (!editable) return null;
    return (
      <Button
        ref={opener}
        variant="text"
        size="small"
        aria-label={fill(texts.remarkAddTo, { title })}
        onClick={open}
        sx={{ ml: -2, color: 'text.secondary', justifySelf: 'start' }}
      >
        {texts.remarkAdd}
      </Button>
    );
  }
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, mt: 1 }}>
      <Box sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere', minWidth: 0 }}>{plainText(part.remark)}</Box>
      {editable && (
        <Action
          ref={opener}
          size="small"
          label={fill(texts.remarkEdit, { title })}
          icon={mdiPencilOutline}
          onClick={open}
          sx={{ mt: -1 }}
        />
      )}
    </Box>
  );
}
