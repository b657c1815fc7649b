import type { FrozenCase } from './frozen.ts';
import { holdsWhat } from './texts.ts';

type About = { frozen: FrozenCase; version: number; label: string; maker: string; server: string; fingerprint: string };

/**
 * `README.txt`: content of the package, and how to check it with other programs. Commands are indented by four spaces.
 */
export function readmeText({ frozen, version, label, maker, server, fingerprint }: About): string {
  return `${label}

Case ${frozen.number}: ${frozen.name}
Version ${version}, made by ${maker} on ${server}
${holdsWhat(maker)}

report.html       what the case says, for reading and printing
parts/            the files of each part, in the order of the case
${frozen.comments.length > 0 ? 'comments.json     what people said about the case, struck comments too\n' : ''}case.json         parts, texts and times, for programs
audit.json        the row of the server's audit that says that this was exported, and the checkpoint signed over it
manifest.json     each file with its SHA-256 and that of each MiB
manifest.sig      the signature (Ed25519) over manifest.json
signing-key.pem   the public key of the signature
check.html        a page that checks all of it in a browser, without a network

HOW TO CHECK

Whoever changes a package can change check.html and this text too. Take the checker from elsewhere: it is at /help/check
of each Osprey server. With other programs, in the folder that the zip was unpacked to:

1. The files are those that the two lists name. audit.json names the sum of the first list, and so has a list of its own.

    sha256sum -c SHA256SUMS SHA256SUMS.audit

2. The manifest is what was signed.

    openssl pkeyutl -verify -rawin -pubin -inkey signing-key.pem -in manifest.json -sigfile manifest.sig

3. The list is the one that the manifest names: the line of SHA256SUMS in manifest.json has this sum.

    sha256sum SHA256SUMS

4. The key is that of the server. This prints its fingerprint, which must be the one that the server shows on its About
   page (here it is ${fingerprint}).

    openssl pkey -pubin -in signing-key.pem -outform DER | sha256sum

${label}
`;
}
