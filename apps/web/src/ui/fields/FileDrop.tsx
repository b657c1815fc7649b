import { mdiTrayArrowUp } from '@mdi/js';
import { Box, Link } from '@mui/material';
import { type DragEvent, useRef, useState } from 'react';
import { fill } from '../../base/format.ts';
import { Icon } from '../Icon.tsx';
import { texts } from '../texts.ts';

type Props = {
  /** Beginning of the sentence about the files that can be dropped: "Drop *.ts files". */
  what: string;
  /** Accessible name of the drop area. */
  name: string;
  /** `accept` attribute of the input: MIME types and suffixes. */
  accept: string;
  onFiles: (files: File[]) => void;
};

/** Drop area for files, with a button that opens the file picker by keyboard and touch. */
export function FileDrop({ what, name, accept, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  }

  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 1.5,
        minHeight: 44,
        px: 3,
        py: 2,
        border: '1px dashed',
        borderColor: over ? 'primary.main' : 'surface.lineStrong',
        borderRadius: 1.5,
        bgcolor: over ? 'surface.selected' : 'transparent',
        color: 'text.secondary',
        textAlign: 'center',
      }}
    >
      <Icon path={mdiTrayArrowUp} />
      <span>{fill(texts.drop.text, { what })}</span>
      <Link
        component="button"
        type="button"
        underline="hover"
        sx={{ fontWeight: 600 }}
        aria-label={fill(texts.drop.chooseFiles, { name })}
        onClick={() => input.current?.click()}
      >
        {texts.drop.choose}
      </Link>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        data-testid={`files-${name}`}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </Box>
  );
}
