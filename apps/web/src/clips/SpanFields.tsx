import { Box } from '@mui/material';
import { Field } from '../ui/fields/Field.tsx';
import { texts } from './texts.ts';
import type { SpanForm } from './useSpanFields.ts';

/** Fields for In and Out. */
export function SpanFields({ span, autoFocus = false }: { span: SpanForm; autoFocus?: boolean }) {
  const { times, change, from, to } = span;
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      <Field
        label={texts.in}
        autoFocus={autoFocus}
        value={times.in}
        onChange={(event) => change({ in: event.target.value })}
        help={texts.timeHelp}
        problem={from === null ? texts.badTime : undefined}
      />
      <Field
        label={texts.out}
        value={times.out}
        onChange={(event) => change({ out: event.target.value })}
        help={texts.timeHelp}
        problem={to === null ? texts.badTime : from !== null && to <= from ? texts.order : undefined}
      />
    </Box>
  );
}
