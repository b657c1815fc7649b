import { listDocumentBin, restoreDocuments } from '@osprey/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api.ts';
import { fill, plainText } from '../base/format.ts';
import { DeletedDialog } from '../ui/dialog/DeletedDialog.tsx';
import { texts } from './texts.ts';

/** Dialog with the documents deleted in the last 30 days, for administrators. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const bin = useQuery({
    queryKey: ['documents', 'bin'],
    queryFn: ({ signal }) => api.call(listDocumentBin, {}, { signal }),
  });
  return (
    <DeletedDialog
      title={texts.bin.title}
      bin={bin}
      failed={texts.bin.failed}
      queryKey={['documents']}
      restore={async ({ _id, title }) => {
        await api.call(restoreDocuments, { body: { documents: [_id] } });
        return fill(texts.restored, { title: plainText(title) });
      }}
      onClose={onClose}
    />
  );
}
