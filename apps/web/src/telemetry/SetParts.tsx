import { Box } from '@mui/material';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { fill } from '../base/format.ts';
import { hexOf, offsetText, partsOf, type SetPart, type ShownSet } from './set-parts.ts';
import { texts } from './texts.ts';
import { nameOf } from './values.ts';

type Props = {
  set: ShownSet;
  /** Tag of the item that is selected initially. */
  first: string | null;
  onCopy: (hex: string) => void;
  onClose: () => void;
};

/** Number of parts that Page Up and Page Down move by. */
const PAGE = 10;

/** Identifies the selected part across sets. */
const keyOf = ({ kind, tag }: SetPart): string => (tag === null ? kind : String(tag));

const nameOfPart = ({ kind, tag }: SetPart): string => {
  if (kind === 'item') return nameOf(String(tag), 'full');
  return kind === 'key' ? texts.key : texts.rest;
};

/**
 * Shows every byte of a KLV set under the item that it belongs to. Arrow keys move between items; Enter and Ctrl+C
 * copy.
 */
export function SetParts({ set, first, onCopy, onClose }: Props) {
  const parts = partsOf(set);
  const [chosenKey, choose] = useState(first);
  const at = Math.max(
    0,
    parts.findIndex((part) => keyOf(part) === chosenKey),
  );
  const list = useRef<HTMLDivElement>(null);

  // Moves the focus here, since the list replaces the button that was pressed.
  useEffect(() => list.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const option = list.current?.children[at];
    if (at > 0) option?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  function onKeyDown(event: KeyboardEvent) {
    const moves: Record<string, number> = {
      ...{ ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + PAGE, PageUp: at - PAGE },
      ...{ Home: 0, End: parts.length - 1 },
    };
    const next = moves[event.key];
    const chosen = parts[at];
    if (next !== undefined) choose(keyOf(parts[Math.max(0, Math.min(parts.length - 1, next))]!));
    else if (event.key === 'Escape') onClose();
    else if (chosen && (event.key === 'Enter' || (event.key === 'c' && (event.ctrlKey || event.metaKey)))) {
      onCopy(hexOf(set, chosen.valueStart, chosen.end));
    } else return;
    event.preventDefault();
    // The player would handle the same keys.
    event.stopPropagation();
  }

  return (
    <Box
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label={texts.setItems}
      aria-activedescendant={`set-part-${at}`}
      onKeyDown={onKeyDown}
      sx={{ px: 1 }}
    >
      {parts.map((part, index) => (
        <Part
          key={part.start}
          id={`set-part-${index}`}
          part={part}
          hex={hexOf(set, part.valueStart, part.end)}
          chosen={index === at}
          onChoose={() => choose(keyOf(part))}
          onCopy={onCopy}
        />
      ))}
    </Box>
  );
}

type PartProps = {
  id: string;
  part: SetPart;
  hex: string;
  chosen: boolean;
  onChoose: () => void;
  onCopy: (hex: string) => void;
};

function Part({ id, part, hex, chosen, onChoose, onCopy }: PartProps) {
  const { tag, start, valueStart, end } = part;
  const name = nameOfPart(part);
  const partName = fill(tag === null ? texts.partOption : texts.itemOption, {
    ...{ name, tag, hex },
    count: end - valueStart,
    start: valueStart,
  });
  return (
    <Box
      id={id}
      role="option"
      aria-selected={chosen}
      aria-label={partName}
      data-tag={tag ?? part.kind}
      onClick={onChoose}
      onDoubleClick={() => onCopy(hex)}
      sx={{ px: 1, borderRadius: 1, cursor: 'default', bgcolor: chosen ? 'surface.selected' : 'transparent' }}
    >
      <Box sx={{ display: 'flex', gap: 1.5, color: 'text.secondary' }}>
        {tag !== null && <Box sx={{ width: 24, flex: 'none' }}>{tag}</Box>}
        <Box sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          {tag === null ? name : nameOf(String(tag), 'short')}
        </Box>
        <Box sx={{ flex: 'none', fontFamily: 'monospace', fontSize: 11 }}>{offsetText(start, 4)}</Box>
      </Box>
      <Box data-part="hex" sx={{ fontFamily: 'monospace', fontSize: 12, lineHeight: '17px', userSelect: 'text' }}>
        {hex}
      </Box>
    </Box>
  );
}
