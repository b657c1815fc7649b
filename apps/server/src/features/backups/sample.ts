/** At most `size` of what is offered: each has the same chance, however many there are (reservoir sampling). */
export function sampleOf<T>(size: number, random: () => number = Math.random) {
  const taken: T[] = [];
  let offered = 0;
  return {
    taken,
    offer(one: T): void {
      const at = offered < size ? offered : Math.floor(random() * (offered + 1));
      if (at < size) taken[at] = one;
      offered += 1;
    },
  };
}

/**
 * Selects `size` of `count` successive items, each with the same probability (selection sampling). Items beyond `count`
 * are never selected.
 */
export function pickOf(size: number, count: number, random: () => number = Math.random): () => boolean {
  let [requested, left] = [size, count];
  return () => {
    if (left <= 0) return false;
    const isPicked = random() * left < requested;
    left -= 1;
    if (isPicked) requested -= 1;
    return isPicked;
  };
}
