const FIELDS =
  'input:not([type="hidden"], [type="file"], :disabled), textarea:not(:disabled), [role="combobox"]:not([aria-disabled="true"])';

/**
 * Ref of a form that gives the focus to its first field when it is drawn, unless one of its fields has it: the dialog itself
 * would get it, with a frame around all of it. Not on a touch screen, whose keyboard would cover the form.
 */
export function focusFirstField(form: HTMLFormElement | null): void {
  if (form === null || form.contains(document.activeElement)) return;
  if (globalThis.matchMedia?.('(pointer: coarse)').matches) return;
  const field = [...form.querySelectorAll<HTMLElement>(FIELDS)].find(
    (element) => !element.closest('[aria-hidden="true"]'),
  );
  field?.focus({ preventScroll: true });
}
