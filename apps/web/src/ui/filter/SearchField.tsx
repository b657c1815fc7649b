import { mdiMagnify } from '@mdi/js';
import { InputAdornment, OutlinedInput } from '@mui/material';
import { SEARCH_MAX } from '@osprey/contract';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../Icon.tsx';

type Props = {
  /** Label of the field, shown in it while it is empty. */
  label: string;
  value: string;
  onChange: (text: string) => void;
};

const PAUSE_MS = 300;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Search field that applies the text when typing pauses. Pressing "/" anywhere on the page focuses it. */
export function SearchField({ label, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });

  // The value was changed elsewhere (chip, address).
  const [previous, setPrevious] = useState(value);
  if (previous !== value) {
    setPrevious(value);
    if (text.trim() !== value) setText(value);
  }

  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => latest.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  return (
    // OutlinedInput is used instead of Field, since the field has no label and is part of the first load.
    <OutlinedInput
      value={text}
      onChange={(event) => setText(event.target.value)}
      placeholder={label}
      inputRef={input}
      type="search"
      inputProps={{ 'aria-label': label, maxLength: SEARCH_MAX }}
      startAdornment={
        <InputAdornment position="start">
          <Icon path={mdiMagnify} />
        </InputAdornment>
      }
      // On a phone the field is on the second line of the toolbar, next to the button that adds a row.
      sx={{
        order: { xs: 1, sm: 0 },
        flex: { xs: '1 1 160px', sm: 'none' },
        width: { sm: 220 },
        pl: 2,
        '& .MuiInputAdornment-root': { mr: 1 },
      }}
    />
  );
}
