import { fill } from '../../base/format.ts';
import { itemOf, type Row } from '../rows.ts';
import { texts } from './texts.ts';
import type { Order } from './usePlatformControl.ts';

/** Switches the source of a sensor, or all sources of a platform, on or off, without recording. */
export function switchOrder(row: Row, on: boolean): Order {
  const { _id, name } = itemOf(row);
  const { done, errors } = texts;
  const isSensor = row.kind === 'sensor';
  const started = isSensor ? done.sensorStarted : done.platformStarted;
  const stopped = isSensor ? done.sensorStopped : done.platformStopped;
  const notStarted = isSensor ? errors.startSensor : errors.startPlatform;
  const notStopped = isSensor ? errors.stopSensor : errors.stopPlatform;
  const sensors = isSensor ? [name] : [];
  return {
    command: on ? 'start' : 'stop',
    platform: row.platform,
    body: on ? { sensors } : { sensors, record: false },
    rowId: _id,
    done: fill(on ? started : stopped, { name }),
    failed: on ? notStarted : notStopped,
  };
}
