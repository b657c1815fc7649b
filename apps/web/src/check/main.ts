import { picked, readDropped } from './choose.ts';
import { outcomeOf, sizeText } from './outcome.ts';
import type { Chosen, ToPage } from './wire.ts';

/** Bundled source of the worker, which the build inserts here, so that the page is a single file. */
declare const WORKER_SOURCE: string;

const by = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const [drop, working, result] = [by('drop'), by('working'), by('result')];
const [zip, folder, fingerprint] = [
  by<HTMLInputElement>('zip'),
  by<HTMLInputElement>('folder'),
  by<HTMLInputElement>('fingerprint'),
];
const bar = by<HTMLProgressElement>('bar');
let worker: Worker | null = null;
let last: Extract<ToPage, { kind: 'verdict' }> | null = null;

function check(chosen: Chosen): void {
  stop();
  const address = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' }));
  const own = new Worker(address);
  worker = own;
  working.hidden = false;
  bar.value = 0;
  by('done').textContent = 'Reading …';
  own.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
    if (worker !== own) return;
    if (data.kind === 'progress') {
      bar.value = data.totalBytes === 0 ? 1 : data.doneBytes / data.totalBytes;
      by('done').textContent = `${sizeText(data.doneBytes)} of ${sizeText(data.totalBytes)}`;
      return;
    }
    stop();
    if (data.kind === 'failed') showVerdict('bad', 'This could not be checked', [paragraph(data.text)]);
    else {
      last = data;
      show();
    }
    result.focus();
  });
  own.addEventListener('error', () => {
    if (worker !== own) return;
    stop();
    showVerdict('bad', 'This could not be checked', [
      paragraph('This browser does not run the check. Use another one, or the commands in README.txt.'),
    ]);
  });
  own.postMessage(chosen);
  URL.revokeObjectURL(address);
}

function stop(): void {
  worker?.terminate();
  worker = null;
  last = null;
  working.hidden = true;
  result.replaceChildren();
}

function show(): void {
  if (last === null) return;
  const { tone, title, texts, facts, faults } = outcomeOf(last.verdict, fingerprint.value);
  const list = element('dl');
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  const found = element('ul');
  for (const text of faults) found.append(element('li', text));
  showVerdict(tone, title, [...texts.map(paragraph), ...(faults.length > 0 ? [found] : []), list]);
}

function showVerdict(tone: string, title: string, parts: readonly Node[]): void {
  result.className = tone;
  result.replaceChildren(element('h2', title), ...parts);
}

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

const paragraph = (text: string) => element('p', text);

function chosenBy(input: HTMLInputElement, chosen: () => Chosen | null): void {
  input.addEventListener('change', () => {
    const what = chosen();
    if (what !== null) check(what);
    // Resets the input; otherwise choosing the same file again would cause no event.
    input.value = '';
  });
}

chosenBy(zip, () => (zip.files?.[0] ? { zip: zip.files[0] } : null));
chosenBy(folder, () => (folder.files ? picked(folder.files) : null));
fingerprint.addEventListener('input', show);
by('cancel').addEventListener('click', () => {
  stop();
  zip.focus();
});

for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragenter' || name === 'dragover');
    if (name !== 'drop' || !event.dataTransfer) return;
    readDropped(event.dataTransfer.items).then(
      (chosen) => chosen && check(chosen),
      () =>
        showVerdict('bad', 'This could not be checked', [paragraph('The browser did not hand over what was dropped.')]),
    );
  });
}
