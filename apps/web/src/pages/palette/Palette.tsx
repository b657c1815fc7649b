import { mdiMagnify } from '@mdi/js';
import { Box, Dialog, InputBase } from '@mui/material';
import { hasAdminRole } from '@osprey/contract';
import {
  Fragment,
  type KeyboardEvent,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { useActor } from '../../api/session.ts';
import { useShownLabels } from '../../base/shown-labels.ts';
import { useCaseRows } from '../../cases/useCases.ts';
import { usePaused } from '../../coverage/find/usePaused.ts';
import { usePlacesNamed } from '../../coverage/find/usePlacesNamed.ts';
import { noFilter } from '../../missions/filter.ts';
import { useMissions } from '../../missions/useMissions.ts';
import { ScrubOnHover } from '../../onscreen/sheets/ScrubOnHover.tsx';
import { useFocusBack } from '../../ui/dialog/useFocusBack.ts';
import { Icon } from '../../ui/Icon.tsx';
import { noFilter as noUserFilter } from '../../users/useUserFilter.ts';
import { useUsers } from '../../users/useUsers.ts';
import { texts } from './texts.ts';
import { ENTRIES_MAX, type PaletteEntry, usePaletteEntries } from './usePaletteEntries.ts';

type Props = {
  /** Returns the text typed before the field was shown. */
  typed: () => string;
  /** Called when the field is shown and receives key events. */
  onShown: () => void;
  onClose: () => void;
};

/** Command palette: one field that finds every mission, page, time, place and action. */
export function Palette({ typed, onShown, onClose }: Props) {
  const actor = useActor();
  const id = useId();
  const focusBack = useFocusBack();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(typed);
  const [at, setAt] = useState(0);
  const takeKeys = useEffectEvent(onShown);
  useEffect(() => takeKeys(), []);
  const search = useDeferredValue(text.trim());
  const missions = useMissions({ ...noFilter, search }, '-startTime').rows;
  const users = useUsers({ ...noUserFilter, search }, 'username', hasAdminRole(actor) && search !== '').rows;
  const cases = useCaseRows(search, '-changed', search !== '').rows;
  const paused = usePaused(search);
  const { places } = usePlacesNamed(paused);
  const found = search === '' ? { users: [], cases: [], places: [] } : { users, cases, places };
  const entries = usePaletteEntries(text, { missions, ...found });
  const labelled = [...missions.slice(0, ENTRIES_MAX), ...found.cases.slice(0, ENTRIES_MAX)];
  useShownLabels(labelled.map(({ securityClassification }) => securityClassification));
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  function run(entry: PaletteEntry | undefined) {
    if (!entry) return;
    onClose();
    // Runs after the dialog has closed, so that the action affects the page and not this field.
    setTimeout(entry.run);
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };
    const step = steps[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(entries.length - 1, chosen + step)));
    else if (event.key === 'Enter') run(entries[chosen]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog
      open
      {...focusBack}
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      transitionDuration={90}
      slotProps={{
        paper: { 'aria-label': texts.title, sx: { position: 'absolute', top: '10vh', m: 0, maxHeight: '72vh' } },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, borderBottom: 1, borderColor: 'divider' }}>
        <Icon path={mdiMagnify} />
        <InputBase
          autoFocus
          fullWidth
          value={text}
          placeholder={texts.placeholder}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          inputProps={{
            role: 'combobox',
            'aria-label': texts.title,
            'aria-expanded': true,
            'aria-controls': `${id}-list`,
            'aria-activedescendant': entries[chosen] ? `${id}-${entries[chosen].id}` : undefined,
            maxLength: 200,
            spellCheck: false,
          }}
          sx={{ height: 48, fontSize: 16 }}
        />
      </Box>
      <Box ref={list} id={`${id}-list`} role="listbox" aria-label={texts.title} sx={{ overflowY: 'auto', py: 2 }}>
        {entries.map((entry, index) => (
          <Fragment key={entry.id}>
            {entry.group !== entries[index - 1]?.group && (
              <Box role="presentation" sx={{ px: 4, pt: 2, fontSize: 12, color: 'text.secondary' }}>
                {texts.groups[entry.group]}
              </Box>
            )}
            <Box
              id={`${id}-${entry.id}`}
              role="option"
              aria-selected={index === chosen}
              onPointerMove={() => setAt(index)}
              onClick={() => run(entry)}
              sx={{
                display: 'flex',
                alignItems: 'center',
                gap: 3,
                mx: 2,
                px: 2,
                minHeight: { xs: 44, sm: 34 },
                borderRadius: 1,
                cursor: 'pointer',
                color: index === chosen ? 'text.primary' : 'text.secondary',
                bgcolor: index === chosen ? 'action.selected' : 'transparent',
                '& svg': { fontSize: 18, flex: 'none' },
              }}
            >
              <EntryIcon entry={entry} />
              <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
                {entry.label}
              </Box>
              <Box
                component="span"
                sx={{
                  ...{ ml: 'auto', flex: 'none', maxWidth: { xs: '50%', sm: 'none' }, textAlign: 'right' },
                  ...{ fontSize: 12, color: 'text.secondary', whiteSpace: { xs: 'normal', sm: 'nowrap' } },
                }}
              >
                {entry.hint}
              </Box>
            </Box>
          </Fragment>
        ))}
      </Box>
      {entries.length === 0 && (
        <Box role="status" sx={{ px: 4, pb: 4, color: 'text.secondary' }}>
          {texts.none}
        </Box>
      )}
    </Dialog>
  );
}

const PICTURE = { width: 44, height: 26 } as const;

function EntryIcon({ entry: { icon, picture } }: { entry: PaletteEntry }) {
  if (!picture) return <Icon path={icon} />;
  return (
    <ScrubOnHover sensor={picture.sensor} {...PICTURE}>
      <img src={picture.url} alt="" style={{ display: 'block', ...PICTURE, objectFit: 'cover' }} />
    </ScrubOnHover>
  );
}
