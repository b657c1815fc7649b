import { type ComponentType, useEffect, useState } from 'react';

/**
 * Creates a component whose code is loaded when it is first rendered, or before by `load`. Until then it renders
 * nothing. Once loaded, it is rendered immediately, whereas React.lazy shows its fallback first and then delays the
 * content by 300 ms. A failure to load the code is thrown during rendering, for the error boundary above; the next
 * instance tries again. `optional`: the component renders nothing instead, since the rest of the page is more
 * important, for example when the server is gone.
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
      // The code may have been loaded since the component was rendered.
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
