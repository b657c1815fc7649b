/** Validates that a value is not empty and not only white space. */
export const filled = (message: string) => (value: string) => value.trim() !== '' || message;

/** Passes the form's `ref` to the input element inside the field. */
export function field<Props extends { ref: (element: HTMLInputElement | null) => void }>({ ref, ...rest }: Props) {
  return { ...rest, inputRef: ref };
}
