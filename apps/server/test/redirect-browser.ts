/** Follows redirects as a browser does, with cookies for each origin; returns where it ended. */
export function redirectBrowser() {
  const jars = new Map<string, Map<string, string>>();

  async function send(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  return {
    send,
    /** Stops at the first answer that is no redirect, or at one to `until`. */
    async follow(address: string, until: (location: string) => boolean): Promise<string> {
      for (let at = address, hops = 0; hops < 20; hops++) {
        const answer = await send(at);
        await answer.arrayBuffer();
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`${at} answered ${answer.status} without leading on`);
        if (until(location)) return location;
        at = new URL(location, at).href;
      }
      throw new Error('Too many redirects');
    },
  };
}
