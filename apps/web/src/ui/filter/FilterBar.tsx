import { mdiPlus } from '@mdi/js';
import { Box, Button, Chip, MenuItem } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { fill } from '../../base/format.ts';
import { Menu, Popover } from '../Floating.tsx';
import { Icon } from '../Icon.tsx';
import { texts } from '../texts.ts';

/** One criterion by which rows can be filtered. */
export type FilterPart = {
  name: string;
  label: string;
  /** Text of the filter's chip; null if the filter is not set. */
  text: string | null;
  onRemove: () => void;
  /**
   * Editor of the filter in a popover, which `done` closes. Omitted for filters that are set elsewhere, such as search
   * words.
   */
  editor?: (done: () => void) => ReactNode;
  /** Opens the filter's own editor instead of the popover. */
  onEdit?: () => void;
};

type Props = {
  filters: readonly FilterPart[];
  onClear: () => void;
  /** Number of rows, as text. */
  count: string;
};

const words = texts.filters;

/** Bar with the filters of a table as chips, a menu to add others, and the number of results. */
export function FilterBar({ filters, onClear, count }: Props) {
  const [editing, setEditing] = useState<{ name: string; anchor: HTMLElement } | null>(null);
  const [menuAnchor, setMenuAnchor] = useState<HTMLElement | null>(null);
  const active = filters.filter(({ text }) => text !== null);
  const choices = filters.filter(({ editor, onEdit }) => editor ?? onEdit);
  const edited = filters.find(({ name }) => name === editing?.name);

  function edit({ name, onEdit }: FilterPart, anchor: HTMLElement) {
    if (onEdit) onEdit();
    else setEditing({ name, anchor });
  }

  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1.5,
        minHeight: 36,
        px: 3,
        py: 0.5,
        borderTop: 1,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {active.map((part) => (
        <Chip
          key={part.name}
          label={
            <>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {part.label}
              </Box>{' '}
              {part.text}
            </>
          }
          {...(choices.includes(part) && {
            onClick: (event: React.MouseEvent<HTMLElement>) => edit(part, event.currentTarget),
            'aria-label': `${fill(words.change, { filter: part.label })}: ${part.text}`,
          })}
          onDelete={part.onRemove}
          sx={{ maxWidth: 320 }}
        />
      ))}
      <Button
        variant="text"
        startIcon={<Icon path={mdiPlus} />}
        aria-haspopup="menu"
        onClick={(event) => setMenuAnchor(event.currentTarget)}
        sx={{ height: 28 }}
      >
        {words.add}
      </Button>
      {active.length > 0 && (
        <Button variant="text" onClick={onClear} sx={{ height: 28 }}>
          {words.clear}
        </Button>
      )}
      <Box component="span" role="status" sx={{ ml: 'auto', color: 'text.secondary', whiteSpace: 'nowrap' }}>
        {count}
      </Box>
      <Menu anchorEl={menuAnchor} open={menuAnchor !== null} onClose={() => setMenuAnchor(null)}>
        {choices.map((part) => (
          <MenuItem
            key={part.name}
            onClick={() => {
              edit(part, menuAnchor!);
              setMenuAnchor(null);
            }}
          >
            {part.label}
          </MenuItem>
        ))}
      </Menu>
      {editing && edited?.editor && (
        <Popover
          open
          anchorEl={editing.anchor}
          onClose={() => setEditing(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
          slotProps={{
            paper: {
              role: 'dialog',
              'aria-label': edited.label,
              sx: { p: 3, mt: 1, border: 1, borderColor: 'divider', borderRadius: 2.5, bgcolor: 'surface.raised' },
            },
          }}
        >
          {edited.editor(() => setEditing(null))}
        </Popover>
      )}
    </Box>
  );
}
