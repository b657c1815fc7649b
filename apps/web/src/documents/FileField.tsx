import { mdiClose } from '@mdi/js';
import { Box, Typography } from '@mui/material';
import { fill, formatSize } from '../base/format.ts';
import { Action } from '../ui/Action.tsx';
import { FileDrop } from '../ui/fields/FileDrop.tsx';
import { texts } from './texts.ts';

const words = texts.dialog;

type Props = { file: File | null; onFiles: (files: File[]) => void; onRemove: () => void };

/** Field for the file of a new document, which is dropped or chosen, and then shown with its size. */
export function FileField({ file, onFiles, onRemove }: Props) {
  return (
    <Box sx={{ gridColumn: { sm: '1 / -1' }, display: 'grid', gap: 2 }}>
      {file === null ? (
        <FileDrop what={words.drop} name={texts.title} accept="" onFiles={onFiles} />
      ) : (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }} data-part="file">
          <Box component="span" sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {file.name}
          </Box>
          <Box component="span" sx={{ color: 'text.secondary', flex: 'none' }}>
            {formatSize(file.size)}
          </Box>
          <Action label={fill(words.removeFile, { name: file.name })} icon={mdiClose} onClick={onRemove} />
        </Box>
      )}
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {words.dropHint} {words.searchHint}
      </Typography>
    </Box>
  );
}
