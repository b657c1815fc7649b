import { MenuItem } from '@mui/material';
import { fill } from '../../base/format.ts';
import { Menu } from '../../ui/Floating.tsx';
import type { ProposedMission } from './group.ts';
import type { Place } from './proposal.ts';
import { texts } from './texts.ts';

/** Files that are to be moved, and the button that was pressed. */
export type Asked = { ids: readonly number[]; from: HTMLElement };

type Props = {
  asked: Asked | null;
  missions: readonly ProposedMission[];
  onMove: (ids: readonly number[], place: Place, name: string) => void;
  onClose: () => void;
};

const words = texts.to;

/** Menu of all places that files can be moved to. */
export function MoveMenu({ asked, missions, onMove, onClose }: Props) {
  const places: { place: Place; name: string }[] = [
    { place: { kind: 'newMission' }, name: words.newMission },
    { place: { kind: 'out' }, name: words.out },
    ...missions.flatMap(({ key, name, sensors }) => [
      ...sensors
        .filter(({ files }) => !asked?.ids.every((id) => files.some((file) => file.id === id)))
        .map((sensor) => ({
          place: { kind: 'sensor' as const, mission: key, sensor: sensor.key },
          name: fill(words.sensor, { mission: name, sensor: sensor.name }),
        })),
      { place: { kind: 'newSensor' as const, mission: key }, name: fill(words.newSensor, { mission: name }) },
    ]),
  ];
  return (
    <Menu open={asked !== null} anchorEl={asked?.from ?? null} onClose={onClose}>
      {places.map(({ place, name }) => (
        <MenuItem
          key={JSON.stringify(place)}
          sx={{ maxWidth: 'min(480px, 90vw)', whiteSpace: 'normal', overflowWrap: 'anywhere' }}
          onClick={() => asked && onMove(asked.ids, place, name)}
        >
          {name}
        </MenuItem>
      ))}
    </Menu>
  );
}
