import { mdiPencilOutline, mdiPower, mdiTrashCanOutline } from '@mdi/js';
import { can, type LivePlatform } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { fill } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { switchOrder } from './control/switch-order.ts';
import { texts as control } from './control/texts.ts';
import type { PlatformControl } from './control/usePlatformControl.ts';
import { texts } from './edit/texts.ts';
import { factsOf, itemOf, type Row } from './rows.ts';

type Props = {
  row: Row;
  control: PlatformControl;
  onEdit: (platform: LivePlatform) => void;
  onDelete: (platform: LivePlatform) => void;
};

/** Actions of one row: switching its source on or off, and, for accounts that set up platforms, its configuration. */
export function RowActions({ row, control: { busyIds, send }, onEdit, onDelete }: Props) {
  const actor = useActor();
  const { platform } = row;
  const { _id, name, live } = itemOf(row);
  const mayControl = can(actor, 'platform.control', factsOf(platform)).allowed;
  const sources = row.kind === 'sensor' ? [row.sensor] : platform.sensors;
  const isAside = row.kind === 'sensor' && row.sensor.aside != null;
  const isOn = sources.some(({ on }) => on);
  return (
    <>
      <Action
        label={fill(isOn ? control.switchOff : control.switchOn, { name })}
        hint={live ? control.recordedStays : undefined}
        icon={mdiPower}
        on={isOn}
        disabled={!mayControl || live || isAside || sources.length === 0 || busyIds.has(_id)}
        onClick={() => void send(switchOrder(row, !isOn))}
      />
      {row.kind === 'platform' && can(actor, 'platformConfig.manage').allowed && (
        <>
          <Action label={fill(texts.edit, { name })} icon={mdiPencilOutline} onClick={() => onEdit(platform)} />
          <Action label={fill(texts.remove, { name })} icon={mdiTrashCanOutline} onClick={() => onDelete(platform)} />
        </>
      )}
    </>
  );
}
