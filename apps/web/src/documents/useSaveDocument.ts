import { createDocument, type DocumentRow, type Usergroup, updateDocument } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText, TransportError } from '../base/transport-error.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { changeBody, type DocumentForm, formData } from './form.ts';
import { fetchProtocol, type Sending, Stopped, sendFile } from './send-file.ts';
import { texts } from './texts.ts';

/**
 * Returns a function that sends the file and creates the document, or changes an existing one. A file that was received
 * completely is not sent again after the server has refused the document.
 */
export function useSaveDocument(row: DocumentRow | null, groups: readonly Usergroup[]) {
  const api = useApi();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();
  const [percent, setPercent] = useState<number | null>(null);
  const sending = useRef<Sending | null>(null);
  const arrived = useRef<{ file: File; upload: string } | null>(null);
  useEffect(() => {
    fetchProtocol();
    return () => sending.current?.leave();
  }, []);

  async function uploadOf(file: File): Promise<string> {
    if (arrived.current?.file === file) return arrived.current.upload;
    setPercent(0);
    sending.current = sendFile(file, setPercent);
    const upload = await sending.current.done;
    arrived.current = { file, upload };
    return upload;
  }

  async function save(form: DocumentForm, file: File | null): Promise<boolean> {
    const title = form.title.trim();
    try {
      if (row !== null) {
        await api.call(updateDocument, { params: { id: row._id }, body: changeBody(row, form, groups) });
      } else if (file !== null) {
        const upload = await uploadOf(file);
        await api.call(createDocument, {}, { form: formData(form, groups, upload) });
        await sending.current?.forget();
      }
      sending.current = null;
      show(fill(row === null ? texts.created : texts.updated, { title }));
      return true;
    } catch (error) {
      const text = error instanceof TransportError || !(error instanceof Error) ? errorText(error) : error.message;
      if (!(error instanceof Stopped)) alert('Error', fill(row === null ? texts.creating : texts.updating, { text }));
      return false;
    } finally {
      setPercent(null);
      void queries.invalidateQueries({ queryKey: ['documents'] });
    }
  }

  return { save, percent, stop: () => sending.current?.stop() };
}
