import { restoreCases } from '@osprey/contract';
import { useMemo } from 'react';
import { useApi } from '../api/api.ts';
import { fill, plainText } from '../base/format.ts';
import { DeletedDialog } from '../ui/dialog/DeletedDialog.tsx';
import { texts } from './texts.ts';
import { useCaseBin } from './useCases.ts';

/** Dialog with the cases deleted in the last 30 days, for administrators. */
export function BinDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { data, error } = useCaseBin();
  const rows = useMemo(
    () => data?.map((row) => ({ ...row, title: fill(texts.named, { number: row.number, name: row.name }) })),
    [data],
  );
  return (
    <DeletedDialog
      title={texts.bin.title}
      bin={{ data: rows, error }}
      failed={texts.bin.failed}
      queryKey={['cases']}
      restore={async ({ _id, name }) => {
        await api.call(restoreCases, { body: { cases: [_id] } });
        return fill(texts.restored.one, { names: plainText(name) });
      }}
      onClose={onClose}
    />
  );
}
