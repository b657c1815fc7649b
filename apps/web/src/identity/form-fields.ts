/** Required, and not only white space. */
export const filled = (message: string) => (value: string) => value.trim() !== '' || message;

/** The form's `ref` goes to the input inside the field. */
export function field<Props extends { ref: (element: HTMLInputElement | null) => void }>({ ref, ...rest }: Props) {
  return { ...rest, inputRef: ref };
}
