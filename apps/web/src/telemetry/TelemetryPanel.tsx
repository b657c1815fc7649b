import {
  mdiClose,
  mdiContentCopy,
  mdiDockRight,
  mdiDockWindow,
  mdiDragVertical,
  mdiMagnify,
  mdiNumeric,
} from '@mdi/js';
import { Box } from '@mui/material';
import { type KeyboardEvent, type ReactNode, type RefCallback, useRef, useState } from 'react';
import { fill } from '../base/format.ts';
import { size, TOUCH_SCREEN } from '../base/sizes.ts';
import { Action } from '../ui/Action.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { useFocusWhenDrawn } from '../ui/useFocusWhenDrawn.ts';
import { PanelFoot } from './PanelFoot.tsx';
import { readPinned, writePinned } from './rows.ts';
import { SetBytes } from './SetBytes.tsx';
import { TelemetryValues } from './TelemetryValues.tsx';
import { texts } from './texts.ts';
import { useTelemetryRows } from './useTelemetryRows.ts';
import { nameOf } from './values.ts';

export type PanelSensor = {
  _id: string;
  name: string;
  /** The moment was not recorded, so no record will arrive. */
  unrecorded?: boolean;
  /** Content below the panel's head: the choice between several KLV streams. */
  streams?: ReactNode;
};

type Props = {
  sensor: PanelSensor;
  /** Properties of the head by which floating panels are moved; null if the panel is docked. */
  head: { className: string; onKeyDown: (event: KeyboardEvent) => void } | null;
  docked: boolean;
  /** Docks the panel next to the video, or makes it float again; null if it cannot be moved. */
  dock: { move: () => void; button: RefCallback<HTMLButtonElement> } | null;
  onClose: (() => void) | null;
};

const small = { width: 26, height: 26, '& svg': { fontSize: 15 } } as const;

/** Panel with all values in the record of the frame on screen. */
export function TelemetryPanel({ sensor, head, docked, dock, onClose }: Props) {
  const { show } = useSnackbar();
  const [pinned, setPinned] = useState(readPinned);
  const [search, setSearch] = useState('');
  const [searching, setSearching] = useState(head === null);
  /** Focuses the search field when it is opened, so that typed keys go into it and not to the view. */
  const searchField = useFocusWhenDrawn<HTMLInputElement>();
  const [details, setDetails] = useState(false);
  /** The item whose bytes are shown, null for the whole set; undefined while values are shown. */
  const [bytesOf, setBytesOf] = useState<string | null>();
  const bytesButton = useRef<HTMLButtonElement>(null);
  const { tags, state: read, panel, foot, failed, register, copyNow } = useTelemetryRows(sensor._id, { ages: details });
  const state = read === 'loading' && sensor.unrecorded ? 'none' : read;

  function togglePin(tag: string) {
    const next = pinned.includes(tag) ? pinned.filter((one) => one !== tag) : [...pinned, tag];
    setPinned(next);
    writePinned(next);
  }
  function closeBytes() {
    setBytesOf(undefined);
    bytesButton.current?.focus();
  }
  function copy(requested: readonly string[]) {
    const lines = requested.map((tag) => `${tag}\t${nameOf(tag, 'full')}\t${copyNow(tag)}`);
    const text = requested.length === 1 ? copyNow(requested[0]!) : lines.join('\n');
    navigator.clipboard.writeText(text).then(
      () => show(texts.copied, 'success'),
      () => show(texts.notCopied, 'error'),
    );
  }

  return (
    <Box
      component="section"
      ref={panel}
      aria-label={fill(texts.of, { sensor: sensor.name })}
      data-part="telemetry-panel"
      sx={{ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0, fontSize: 12, lineHeight: '20px' }}
    >
      <Box
        {...(head && {
          className: head.className,
          onKeyDown: head.onKeyDown,
          tabIndex: 0,
          role: 'group',
          'aria-label': texts.move,
        })}
        sx={{
          display: 'flex',
          alignItems: 'center',
          height: 34,
          [TOUCH_SCREEN]: { height: size.touch },
          flex: 'none',
          pl: head ? 0.5 : 2,
          pr: 0.5,
          cursor: head ? 'move' : 'default',
          borderBottom: 1,
          borderColor: 'surface.line',
        }}
      >
        {head && <Icon path={mdiDragVertical} sx={{ fontSize: 16, color: 'text.disabled', mr: 0.25 }} />}
        <Box sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          <Box component="span" sx={{ fontSize: 13, fontWeight: 600, mr: 1 }}>
            {texts.title}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {sensor.name}
          </Box>
        </Box>
        <Action
          label={texts.showSearch}
          icon={mdiMagnify}
          on={searching}
          onClick={() => {
            if (!searching) searchField.ask();
            setSearching(!searching);
            setSearch('');
          }}
          sx={small}
        />
        <Action label={texts.details} icon={mdiNumeric} on={details} onClick={() => setDetails(!details)} sx={small} />
        <Action
          label={texts.copyAll}
          icon={mdiContentCopy}
          disabled={tags.length === 0}
          onClick={() => copy(tags)}
          sx={small}
        />
        {dock && (
          <Action
            label={docked ? texts.float : texts.dock}
            icon={docked ? mdiDockWindow : mdiDockRight}
            ref={dock.button}
            onClick={dock.move}
            sx={small}
          />
        )}
        {onClose && <Action label={texts.close} icon={mdiClose} onClick={onClose} sx={small} />}
      </Box>
      {sensor.streams}
      {bytesOf === undefined ? (
        <TelemetryValues
          {...{ tags, pinned, state, details, register }}
          search={searching ? { text: search, set: setSearch, field: searchField.ref } : null}
          row={{ onPin: togglePin, onCopy: (tag) => copy([tag]), onBytes: setBytesOf }}
        />
      ) : (
        <SetBytes sensorId={sensor._id} tag={bytesOf} onClose={closeBytes} />
      )}
      <PanelFoot
        {...{ foot, failed, bytesButton }}
        bytes={bytesOf !== undefined}
        onBytes={() => (bytesOf === undefined ? setBytesOf(null) : closeBytes())}
      />
    </Box>
  );
}
