import {
  mdiDotsVertical,
  mdiDragVertical,
  mdiFileEyeOutline,
  mdiMapMarkerOutline,
  mdiMovieOpenPlayOutline,
} from '@mdi/js';
import { Box, MenuItem, Typography } from '@mui/material';
import type { CasePart } from '@osprey/contract';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { Link } from 'react-router';
import { fill, formatTime, plainText } from '../../base/format.ts';
import { TOUCH_SCREEN } from '../../base/sizes.ts';
import { ScrubOnHover } from '../../onscreen/sheets/ScrubOnHover.tsx';
import { Action } from '../../ui/Action.tsx';
import { Menu } from '../../ui/Floating.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useCaseContent } from '../content.ts';
import { placeOf, timeText } from './moment.ts';
import { NoteText } from './NoteText.tsx';
import { Remark } from './Remark.tsx';
import { texts } from './texts.ts';
import type { PartActs } from './usePartActs.ts';

/** Actions that a row can request from the list. */
export type RowActs = {
  /** Moves the part to another position, counted from 0. */
  move: (id: string, place: number) => void;
  /** Moves the focus down by `by` rows; up if `by` is negative. */
  walk: (id: string, by: number) => void;
  choose: (id: string) => void;
  editNote: (part: CasePart) => void;
  dragStart: (id: string) => void;
  dragOver: (id: string, isAfter: boolean) => void;
  dragEnd: (isDropped: boolean) => void;
};

type Props = {
  part: CasePart;
  /** Position of the part, counted from 0, and number of parts. */
  place: number;
  count: number;
  editable: boolean;
  /** True if the case is on hold, so that the part cannot be removed. */
  held: boolean;
  chosen: boolean;
  /** Side of this row on which a dragged part would be dropped; null: not on this row. */
  drop: 'before' | 'after' | null;
  /** Parts of the case, whose pictures notes can show. */
  parts: readonly CasePart[];
  acts: PartActs;
  row: RowActs;
};

const words = texts.row;

/** Row with one part of a case, its remark, and buttons to open, move and remove it. */
export function PartRow(props: Props) {
  const { part, place, count, editable, held, chosen, drop, parts, acts, row } = props;
  const [menu, setMenu] = useState<HTMLElement | null>(null);
  const id = part._id;
  const title = plainText(part.title);
  const content = useCaseContent(part.kind);
  const opens = placeOf(part, content);
  const where = [part.missionName, part.sensorName].flatMap((name) => (name === null ? [] : [plainText(name)]));
  const time = timeText(part);
  const made = [
    ...(part.picture === 'browser' ? [texts.browserPicture] : []),
    ...(part.overlays ? [texts.overlays] : []),
  ];

  function onKeyDown(event: KeyboardEvent) {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.altKey && by !== 0 && editable) row.move(id, place + by);
    else if (event.target !== event.currentTarget) return;
    else if (by !== 0) row.walk(id, by);
    else if (event.key === 'Home') row.walk(id, -count);
    else if (event.key === 'End') row.walk(id, count);
    else if (event.key === 'Enter') row.choose(id);
    else return;
    event.preventDefault();
  }

  function onDragOver(event: DragEvent) {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    row.dragOver(id, event.clientY > top + height / 2);
    event.preventDefault();
  }

  function fromMenu(act: () => void) {
    setMenu(null);
    act();
  }

  return (
    <Box
      component="li"
      data-part-id={id}
      // Focusable, so that the row can be selected and moved by keyboard.
      tabIndex={0}
      aria-label={fill(words.part, { place: place + 1, kind: content.name, title })}
      aria-current={chosen || undefined}
      {...(editable && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
      onKeyDown={onKeyDown}
      {...(editable && {
        onDragOver,
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          row.dragEnd(true);
        },
      })}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: '24px 28px 112px minmax(0, 1fr) auto' },
        columnGap: { xs: 2, sm: 3 },
        alignItems: 'start',
        px: { xs: 2, sm: 3 },
        py: 2.5,
        borderBottom: 1,
        borderColor: 'divider',
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 96px',
        boxShadow: drop === null ? 'none' : `inset 0 ${drop === 'before' ? 2 : -2}px 0 var(--mui-palette-primary-main)`,
        bgcolor: chosen ? 'surface.selected' : 'transparent',
        '&:hover': { bgcolor: chosen ? 'surface.selected' : 'surface.hover' },
        '&:focus-visible': { outline: 2, outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    >
      <Box sx={{ display: { xs: 'none', sm: 'flex' }, justifyContent: 'center', pt: 0.5 }}>
        {editable && (
          <Box
            draggable
            aria-hidden="true"
            title={fill(words.drag, { title })}
            onDragStart={(event: DragEvent) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', title);
              row.dragStart(id);
            }}
            onDragEnd={() => row.dragEnd(false)}
            // Not shown on touch screens, where a drag scrolls the list; parts are moved with the menu there.
            sx={{ cursor: 'grab', color: 'text.secondary', [TOUCH_SCREEN]: { display: 'none' } }}
          >
            <Icon path={mdiDragVertical} sx={{ fontSize: 20, display: 'block' }} />
          </Box>
        )}
      </Box>
      <Box
        sx={{
          display: { xs: 'none', sm: 'block' },
          color: 'text.secondary',
          textAlign: 'right',
          fontVariantNumeric: 'tabular-nums',
          pt: 0.5,
        }}
      >
        {place + 1}
      </Box>
      <Picture part={part} icon={content.icon} />
      <Box sx={{ minWidth: 0, display: 'grid' }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 0.5 }}>
          <Icon
            path={content.icon}
            sx={{ fontSize: 16, color: 'text.secondary', display: { sm: 'none' }, flex: 'none' }}
          />
          <Typography variant="subtitle2" component="h3" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          <LabelMark label={part.securityClassification} />
          <Box component="span" sx={{ color: 'text.secondary', fontSize: 12 }}>
            {content.name}
          </Box>
        </Box>
        {(time !== null || where.length > 0) && (
          <Box sx={{ color: 'text.secondary', fontSize: 12, fontVariantNumeric: 'tabular-nums' }}>
            {[time, ...where].filter((one) => one !== null).join(' · ')}
          </Box>
        )}
        {made.length > 0 && <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{made.join(' · ')}</Box>}
        {part.state !== 'shown' && (
          <Box role="note" sx={{ color: 'warning.main', fontSize: 12 }}>
            {texts.states[part.state]}
          </Box>
        )}
        {part.kind === 'note' ? (
          <Box sx={{ mt: 1 }}>
            <NoteText text={part.text ?? ''} parts={parts} />
          </Box>
        ) : (
          <Remark part={part} editable={editable} acts={acts} />
        )}
      </Box>
      <Box sx={{ display: 'flex', mt: -1, mr: -1 }}>
        {part.extent !== null && (
          <Action
            label={fill(words.show, { title })}
            icon={mdiMapMarkerOutline}
            onClick={() => row.choose(id)}
            sx={{ display: { xs: 'none', sm: 'inline-flex' } }}
          />
        )}
        {opens && (
          <Action
            component={Link}
            // A link that looks like the buttons next to it.
            {...({ to: opens.to } as object)}
            label={fill(opens.isMoment ? words.open : words.openPage, { title })}
            icon={opens.isMoment ? mdiMovieOpenPlayOutline : mdiFileEyeOutline}
          />
        )}
        {editable && (
          <Action
            label={fill(words.menu, { title })}
            icon={mdiDotsVertical}
            aria-haspopup="menu"
            onClick={(event) => setMenu(event.currentTarget)}
          />
        )}
        <Menu anchorEl={menu} open={menu !== null} onClose={() => setMenu(null)}>
          {part.kind === 'note' && (
            <MenuItem onClick={() => fromMenu(() => row.editNote(part))}>{words.editNote}</MenuItem>
          )}
          <MenuItem disabled={place === 0} onClick={() => fromMenu(() => row.move(id, place - 1))}>
            {words.up}
          </MenuItem>
          <MenuItem disabled={place === count - 1} onClick={() => fromMenu(() => row.move(id, place + 1))}>
            {words.down}
          </MenuItem>
          <MenuItem disabled={place === 0} onClick={() => fromMenu(() => row.move(id, 0))}>
            {words.first}
          </MenuItem>
          <MenuItem disabled={place === count - 1} onClick={() => fromMenu(() => row.move(id, count - 1))}>
            {words.last}
          </MenuItem>
          <MenuItem
            disabled={held}
            onClick={() => fromMenu(() => void acts.takeOut(part))}
            sx={{ color: 'error.main' }}
          >
            {held ? words.removeHeld : words.remove}
          </MenuItem>
        </Menu>
      </Box>
      <Box
        sx={{
          gridColumn: '4 / -1',
          color: 'text.secondary',
          fontSize: 11,
          display: { xs: 'none', sm: 'block' },
          mt: 0.5,
        }}
      >
        {fill(words.by, { author: plainText(part.author), time: formatTime(part.added) })}
      </Box>
    </Box>
  );
}

/** Time before and after a moment that its picture runs through, in microseconds. */
const AROUND_US = 60_000_000;
/** Pictures of recordings are served there; those of snapshots and documents are not. */
const OF_RECORDING = '/videos/';

/** Returns the sensor and the span of a part whose picture is one of a recording; null for other pictures. */
function scrubbedOf({ missionId, sensorId, startTime, endTime, thumbnailUrl }: CasePart) {
  if (missionId === null || sensorId === null || startTime === null) return null;
  if (!thumbnailUrl?.startsWith(OF_RECORDING)) return null;
  const span =
    endTime === null
      ? { fromUs: startTime - AROUND_US, toUs: startTime + AROUND_US }
      : { fromUs: startTime, toUs: endTime };
  return { sensor: { _id: sensorId, missionId }, span };
}

/** Thumbnail of a part, or the icon of its kind if there is none. */
function Picture({ part, icon }: { part: CasePart; icon: string }) {
  const sx = { width: 112, aspectRatio: '16 / 9', borderRadius: 1, display: { xs: 'none', sm: 'grid' } } as const;
  if (part.thumbnailUrl !== null) {
    const picture = (
      <Box component="img" src={part.thumbnailUrl} alt="" loading="lazy" sx={{ ...sx, objectFit: 'cover' }} />
    );
    const scrubbed = scrubbedOf(part);
    if (scrubbed === null) return picture;
    return (
      <Box sx={{ display: { xs: 'none', sm: 'block' } }}>
        <ScrubOnHover {...scrubbed} width={112} height={63}>
          {picture}
        </ScrubOnHover>
      </Box>
    );
  }
  return (
    <Box sx={{ ...sx, placeItems: 'center', bgcolor: 'surface.base', color: 'text.secondary' }}>
      <Icon path={icon} sx={{ fontSize: 24 }} />
    </Box>
  );
}
