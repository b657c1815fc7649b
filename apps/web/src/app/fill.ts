/** Fills the `{placeholders}` of a text. */
export function fill(text: string, values: Record<string, string | number | null>): string {
  return text.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}
