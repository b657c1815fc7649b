import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { later } from '../later.tsx';
import { texts } from '../texts.ts';
import { useAlert } from './AlertDialog.tsx';

/**
 * Creates a dialog whose code is loaded when it is first opened. If loading fails, an alert is shown instead, and the
 * page below keeps its playback and typed text. A retry would be useless, since Chromium remembers failed modules and
 * their imports until the page is reloaded.
 */
export function laterDialog<Props extends { onClose: () => void }>(fetchCode: () => Promise<ComponentType<Props>>) {
  const Code = later(fetchCode, { optional: true });

  function Dialog(props: Props) {
    const { alert } = useAlert();
    const onFailed = useEffectEvent(() => {
      alert(texts.notLoaded.title, texts.notLoaded.text);
      props.onClose();
    });
    useEffect(() => {
      let current = true;
      Code.load().catch(() => current && onFailed());
      return () => {
        current = false;
      };
    }, []);
    return <Code {...props} />;
  }

  return Object.assign(Dialog, { load: Code.load });
}
