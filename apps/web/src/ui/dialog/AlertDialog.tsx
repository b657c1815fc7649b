import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { AlertBox } from '../Floating.tsx';

type Alert = { title: string; text: string };
type ShowAlert = (title: string, text: string) => void;

const AlertContext = createContext<{ alert: ShowAlert } | null>(null);

/** Returns the function that shows important messages. They are shown one at a time, until the user closes them. */
export function useAlert(): { alert: ShowAlert } {
  const context = useContext(AlertContext);
  if (!context) throw new Error('useAlert needs an AlertProvider above it');
  return context;
}

export function AlertProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Alert[]>([]);
  const alert = useCallback<ShowAlert>((title, text) => setWaiting((before) => [...before, { title, text }]), []);
  const context = useMemo(() => ({ alert }), [alert]);
  const shown = waiting[0];

  return (
    <AlertContext value={context}>
      {children}
      {shown && <AlertBox {...shown} onAnswer={() => setWaiting((before) => before.slice(1))} />}
    </AlertContext>
  );
}
