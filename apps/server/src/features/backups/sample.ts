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
