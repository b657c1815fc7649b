/** A growing list of numbers, eight bytes each. */
export type NumberList = {
  add(value: number): void;
  set(at: number, value: number): void;
  at(index: number): number;
  length(): number;
  /** Returns the numbers from index `start` on, as a view that is valid until the next number is added. */
  from(start: number): Float64Array;
};

const FIRST_SIZE = 256;

export function createNumberList(): NumberList {
  let numbers = new Float64Array(FIRST_SIZE);
  let length = 0;

  function add(value: number) {
    if (length === numbers.length) {
      const larger = new Float64Array(numbers.length * 2);
      larger.set(numbers);
      numbers = larger;
    }
    numbers[length++] = value;
  }

  return {
    add,
    set(at, value) {
      numbers[at] = value;
    },
    at: (index) => numbers[index]!,
    length: () => length,
    from: (start) => numbers.subarray(start, length),
  };
}
