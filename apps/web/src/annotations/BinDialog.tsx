import { restoreAnnotations } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { fill, plainText } from '../base/format.ts';
import { DeletedDialog } from '../ui/dialog/DeletedDialog.tsx';
import { texts } from './texts.ts';
import { useAnnotationBin } from './useAnnotations.ts';

/** Dialog with the annotations deleted in the last 30 days, for administrators. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const bin = useAnnotationBin();
  return (
    <DeletedDialog
      title={texts.bin.title}
      bin={bin}
      failed={texts.bin.failed}
      queryKey={['annotations']}
      restore={async ({ _id, title }) => {
        await api.call(restoreAnnotations, { body: { annotations: [_id] } });
        return fill(texts.restored, { title: plainText(title) });
      }}
      onClose={onClose}
    />
  );
}
