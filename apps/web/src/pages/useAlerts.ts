import { backupFailedEvent, concurrentUsersEvent, demoExpiredEvent } from '@osprey/contract';
import { fill } from '../base/format.ts';
import { useServerEvent } from '../events/events.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { notices as texts } from './notice-texts.ts';

/**
 * Shows the alerts of the installation. Each is sent only once, so the component that shows them must listen before the
 * first event can arrive.
 */
export function useAlerts(): void {
  const { alert } = useAlert();
  useServerEvent(demoExpiredEvent, () => alert(texts.expired.title, texts.checkLicense));
  useServerEvent(concurrentUsersEvent, ({ message }) => alert(fill(texts.full, { message }), texts.checkLicense));
  useServerEvent(backupFailedEvent, ({ name, text }) =>
    alert(fill(texts.backupFailed.title, { name }), `${text}\n${texts.backupFailed.text}`),
  );
}
