import { Box, Button, Typography } from '@mui/material';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { fill } from '../../base/format.ts';
import type { StepId } from './steps.ts';
import { texts } from './texts.ts';
import { useTarget } from './useTarget.ts';

/** Tour of the mission view: a card next to one part after another. It is not a dialog, so the view remains usable. */
export function Tour({ onEnd }: { onEnd: () => void }) {
  const [card, setCard] = useState<HTMLElement | null>(null);
  const [requested, setRequested] = useState<StepId | null>(null);
  const seen = useTarget(requested, card);
  const title = useId();
  const text = useId();
  const ids = seen?.ids ?? [];
  const id = requested ?? ids[0] ?? null;
  const at = id === null ? -1 : ids.indexOf(id);
  const isLast = at === ids.length - 1;
  useFocusOn(card);
  useEscape(onEnd);

  function go(to: number) {
    const next = ids[to];
    if (next === undefined) return;
    // The first card has no "Back" button, so the focus moves to the card before that button disappears.
    if (to === 0) card?.focus();
    setRequested(next);
  }
  const forward = () => (isLast ? onEnd() : go(at + 1));

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'ArrowRight' || event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Enter' && event.target === event.currentTarget) forward();
    else return;
    // Keeps the key from the mission view, which would step through its pictures.
    event.preventDefault();
  }

  if (id === null || seen === null) return null;
  const words = texts.steps[id];
  return createPortal(
    <>
      {seen.target && (
        <Box
          aria-hidden="true"
          data-part="tour-target"
          style={{ ...seen.target }}
          sx={{
            ...{ position: 'fixed', zIndex: 'drawer', pointerEvents: 'none', borderRadius: 1.5 },
            ...{ outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -1 },
          }}
        />
      )}
      <Box
        component="section"
        ref={setCard}
        tabIndex={-1}
        aria-labelledby={title}
        aria-describedby={text}
        onKeyDown={onKeyDown}
        style={seen.place}
        sx={{
          ...{ position: 'fixed', zIndex: 'drawer', width: 320, p: 4 },
          ...{ border: 1, borderColor: 'surface.lineStrong', borderRadius: 2.5, bgcolor: 'surface.raised' },
          boxShadow: '0 1px 2px rgb(0 0 0 / 0.28), 0 12px 32px rgb(0 0 0 / 0.36)',
          transition: 'left 160ms, top 160ms',
        }}
      >
        <Box aria-live="polite" aria-atomic="true">
          <Typography variant="caption" sx={{ color: 'text.secondary' }}>
            {fill(texts.step, { at: at + 1, count: ids.length })}
          </Typography>
          <Typography variant="h3" component="h2" id={title} sx={{ mt: 0.5 }}>
            {words.title}
          </Typography>
          <Typography variant="body2" id={text} sx={{ mt: 1 }}>
            {words.text}
          </Typography>
        </Box>
        <Typography variant="caption" sx={{ display: 'block', mt: 2, color: 'text.secondary' }}>
          {texts.keys}
        </Typography>
        <Box sx={{ display: 'flex', gap: 2, mt: 3 }}>
          {!isLast && (
            <Button variant="text" onClick={onEnd} sx={{ ml: -2 }}>
              {texts.skip}
            </Button>
          )}
          {at > 0 && (
            <Button onClick={() => go(at - 1)} sx={{ ml: 'auto' }}>
              {texts.back}
            </Button>
          )}
          <Button variant="contained" color="primary" onClick={forward} sx={at > 0 ? {} : { ml: 'auto' }}>
            {isLast ? texts.done : texts.next}
          </Button>
        </Box>
      </Box>
    </>,
    document.body,
  );
}

/**
 * Focuses the card when it appears. If it has the focus when it disappears, the focus returns to the element that had
 * it before.
 */
function useFocusOn(card: HTMLElement | null) {
  useLayoutEffect(() => {
    if (card === null) return;
    const before = document.activeElement;
    card.focus({ preventScroll: true });
    return () => {
      const hadFocus = card.contains(document.activeElement);
      if (hadFocus && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [card]);
}

/** Ends the tour by Escape wherever the focus is, except in menus and dialogs, which handle Escape themselves. */
function useEscape(onEnd: () => void) {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) end();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
