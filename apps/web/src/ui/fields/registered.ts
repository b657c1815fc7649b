import type { z } from 'zod';

/** Returns a validator for `register` that gives the schema's own error message. */
export const rule = (schema: z.ZodType) => (value: string) => {
  const parsed = schema.safeParse(value);
  return parsed.success || (parsed.error.issues[0]?.message ?? false) || true;
};

/** Converts the result of `register` for a text field. */
export const inputOf = <P extends { ref: (element: HTMLInputElement | null) => void }>({ ref, ...rest }: P) => ({
  ...rest,
  inputRef: ref,
});
