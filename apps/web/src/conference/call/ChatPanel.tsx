import { mdiClose, mdiSend } from '@mdi/js';
import { Box, Typography } from '@mui/material';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Action } from '../../ui/Action.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import type { ChatLine } from './call.ts';
import { texts } from './texts.ts';

type Props = {
  lines: readonly ChatLine[];
  onSay: (text: string) => void;
  onClose: () => void;
  /** True if the chat takes all the space below the call. */
  fills: boolean;
};

const words = texts.chat;
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** Chat with the messages since joining, the newest at the bottom. */
export function ChatPanel({ lines, onSay, onClose, fills }: Props) {
  const [text, setText] = useState('');
  const end = useRef<HTMLDivElement>(null);
  const newest = lines.at(-1)?.number;

  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);

  function send(event: FormEvent) {
    event.preventDefault();
    onSay(text);
    setText('');
  }

  return (
    <Box
      component="section"
      aria-label={texts.call.chat}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      sx={{
        ...(fills
          ? { width: '100%', flex: 1 }
          : { width: { xs: '100%', md: 320 }, height: { xs: '45%', md: 'auto' }, flex: 'none' }),
        ...{ display: 'flex', flexDirection: 'column', minHeight: 0, bgcolor: 'surface.panel' },
        ...{ borderLeft: { md: 1 }, borderTop: { xs: 1, md: 0 }, borderColor: { xs: 'divider', md: 'divider' } },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', px: 3, py: 1, borderBottom: 1, borderColor: 'divider' }}>
        <Typography variant="h3" component="h2">
          {texts.call.chat}
        </Typography>
        <Box sx={{ ml: 'auto' }}>
          <Action label={words.close} icon={mdiClose} onClick={onClose} edge="end" />
        </Box>
      </Box>
      <Box role="log" aria-label={texts.call.chat} sx={{ flex: 1, overflowY: 'auto', p: 3 }}>
        {lines.length === 0 && <Typography sx={{ color: 'text.secondary' }}>{words.empty}</Typography>}
        {lines.map(({ number, name, text: said, timeMs }) => (
          <Box key={number} sx={{ mb: 3, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
              {name} {time.format(timeMs)} Z
            </Box>
            {said}
          </Box>
        ))}
        <div ref={end} />
      </Box>
      <Box component="form" onSubmit={send} sx={{ display: 'flex', alignItems: 'end', gap: 1, p: 3 }}>
        <Field
          label={words.field}
          value={text}
          autoFocus
          onChange={(event) => setText(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 2000 } }}
        />
        <Action label={words.send} icon={mdiSend} type="submit" disabled={text.trim() === ''} />
      </Box>
    </Box>
  );
}
