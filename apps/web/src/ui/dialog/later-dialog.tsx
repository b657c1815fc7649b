import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { later } from '../later.tsx';
import { texts } from '../texts.ts';
import { useAlert } from './AlertDialog.tsx';

/**
 * A dialog whose code comes when it is first opened. If it does not come, an alert says so in its place, and the page
 * below stays as it is, with its playback and typed text. A retry is useless: Chromium remembers failed modules, and
 * their imports, until the page is reloaded.
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
