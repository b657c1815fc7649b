import { type ComponentType, useEffect, useState } from 'react';

/**
 * A component whose code comes when it is first drawn, or before, by `load`. Until then it draws nothing; once the code is there
 * it is drawn at once, where React.lazy shows its fallback first and holds what comes after it back for 300 ms.
 * A failure to fetch the code is thrown while drawing, for the error boundary above; the next one to be drawn tries again.
 * `optional`: it draws nothing instead, because the page is worth more than this part of it, as when the server is gone.
 */
export function later<Props extends object>(
  fetchCode: () => Promise<ComponentType<Props>>,
  { optional = false }: { optional?: boolean } = {},
) {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<void> | null = null;

  function load(): Promise<void> {
    loading ??= fetchCode().then(
      (component) => {
        loaded = component;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }

  function Later(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    useEffect(() => {
      let current = true;
      // The code may have come since this was drawn.
      const show = () => current && setLoaded(() => loaded);
      if (loaded !== null) show();
      else load().then(show, (error: unknown) => current && setFailure({ error }));
      return () => {
        current = false;
      };
    }, []);
    if (failure !== null && !optional) throw failure.error;
    return Loaded === null ? null : <Loaded {...props} />;
  }

  return Object.assign(Later, { load });
}
