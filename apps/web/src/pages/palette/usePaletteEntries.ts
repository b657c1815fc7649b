import {
  mdiAccountOutline,
  mdiClockOutline,
  mdiCrosshairsGps,
  mdiFolderOutline,
  mdiKeyboardOutline,
  mdiPlayBoxOutline,
} from '@mdi/js';
import type { CaseRow, Mission, User } from '@osprey/contract';
import { parsePlace } from '@osprey/geo';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useActor } from '../../api/session.ts';
import { fill, formatTime, formatTimeSeconds } from '../../base/format.ts';
import { formatPlace } from '../../base/units.ts';
import { texts as caseTexts } from '../../cases/texts.ts';
import { type FoundPlace, hintOf } from '../../coverage/find/usePlacesNamed.ts';
import { useMission } from '../../missions/useMissions.ts';
import { keyList, type ViewKind } from '../../missionview/key-list.ts';
import { firstPictured, type SheetsSensor } from '../../onscreen/sheets/sheets-sensor.ts';
import { askedPlace } from '../../onscreen/target-place.ts';
import { menuOf } from '../menu.ts';
import { keyLines } from '../view-features.ts';
import { parseMoment } from './moment.ts';
import { texts } from './texts.ts';

export type PaletteEntry = {
  id: string;
  group: keyof typeof texts.groups;
  label: string;
  /** Less prominent text next to the label: a date, a key. */
  hint: string;
  icon: string;
  /** Picture of a mission in place of the icon, and the sensor whose recording it runs through. */
  picture?: { url: string; sensor: SheetsSensor | null };
  run: () => void;
};

/** Maximum number of entries of each kind; more typed text narrows them down. */
export const ENTRIES_MAX = 6;

/** Items that match the typed text. */
type Found = {
  missions: readonly Mission[];
  users: readonly User[];
  cases: readonly CaseRow[];
  places: readonly FoundPlace[];
};

/** Returns the entries for a typed text, best first. */
export function usePaletteEntries(text: string, { missions, users, cases, places }: Found): PaletteEntry[] {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const actor = useActor();
  const { data: open } = useMission(query.get('mission'));
  const isLive = useLocation().pathname === '/live';
  const view = isLive ? 'live' : open ? 'mission' : null;
  const words = text.trim().toLowerCase();
  const fits = (label: string) => label.toLowerCase().includes(words);

  return [
    ...timeEntries(text, open ?? null, (iso) => {
      const next = new URLSearchParams(query);
      next.set('t', iso);
      void navigate(`/missions?${next}`);
    }),
    ...placeEntries(text),
    ...missions.slice(0, ENTRIES_MAX).map(
      (mission): PaletteEntry => ({
        id: `mission-${mission._id}`,
        group: 'missions',
        label: mission.name,
        hint: formatTime(mission.startTime),
        icon: mdiPlayBoxOutline,
        ...(mission.thumbnail !== null && {
          picture: { url: mission.thumbnail, sensor: firstPictured(mission) },
        }),
        run: () => void navigate(`/missions?mission=${mission._id}`),
      }),
    ),
    ...cases.slice(0, ENTRIES_MAX).map(
      (row): PaletteEntry => ({
        id: `case-${row._id}`,
        group: 'cases',
        label: row.name,
        hint: fill(caseTexts.number, { number: row.number }),
        icon: mdiFolderOutline,
        run: () => void navigate(`/cases/${row._id}`),
      }),
    ),
    ...places.slice(0, ENTRIES_MAX).map(
      (place): PaletteEntry => ({
        id: `place-${place.key}`,
        group: 'places',
        label: fill(texts.seenAt, { place: place.name }),
        hint: hintOf(place),
        icon: mdiCrosshairsGps,
        run: () => void navigate(`/find?${new URLSearchParams({ shape: JSON.stringify(place.shape) })}`),
      }),
    ),
    ...users.slice(0, ENTRIES_MAX).map(
      (user): PaletteEntry => ({
        id: `user-${user._id}`,
        group: 'users',
        label: user.username,
        hint: user.company,
        icon: mdiAccountOutline,
        run: () => void navigate(`/users?user=${user._id}`),
      }),
    ),
    ...menuOf(actor)
      .filter(({ label }) => fits(label))
      .map(
        ({ path, label, icon }): PaletteEntry => ({
          id: `page-${path}`,
          group: 'pages',
          label,
          hint: '',
          icon,
          run: () => void navigate(path),
        }),
      ),
    ...(view ? keyEntries(view).filter(({ label }) => fits(label)) : []),
  ];
}

function timeEntries(text: string, mission: Mission | null, go: (iso: string) => void): PaletteEntry[] {
  if (!mission || mission.startTime === null || mission.endTime === null) return [];
  const { startTime, endTime } = mission;
  const atUs = parseMoment(text, { startUs: startTime, endUs: endTime });
  if (atUs === null) return [];
  const time = formatTimeSeconds(atUs);
  const isInside = atUs >= startTime && atUs <= endTime;
  return [
    {
      id: 'time',
      group: 'times',
      label: fill(isInside ? texts.goTo : texts.outside, { time, mission: mission.name }),
      hint: isInside ? mission.name : '',
      icon: mdiClockOutline,
      run: () => isInside && go(new Date(atUs / 1000).toISOString()),
    },
  ];
}

function placeEntries(text: string): PaletteEntry[] {
  const place = parsePlace(text);
  if (place === null) return [];
  return [
    {
      id: 'place',
      group: 'places',
      label: fill(texts.seenAt, { place: formatPlace(place) }),
      hint: '',
      icon: mdiCrosshairsGps,
      run: () => askedPlace.set({ place, x: window.innerWidth / 2, y: window.innerHeight / 3 }),
    },
  ];
}

/** Returns an entry for each key of the open view, which does the same as the key. */
const keyEntries = (view: ViewKind): PaletteEntry[] =>
  keyList(view, keyLines())
    .filter(({ keys }) => keys.length === 1 && keys[0] !== 'Ctrl K')
    .map(({ keys: [name = ''], text }) => ({
      id: `key-${name}`,
      group: 'actions',
      label: text,
      hint: name,
      icon: mdiKeyboardOutline,
      run: () => {
        const key = name.replace('Shift ', '');
        const pressed = { key: key === 'Space' ? ' ' : key, shiftKey: name.startsWith('Shift '), bubbles: true };
        document.body.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, cancelable: true }));
      },
    }));
