/** Texts of the About page on the keys that sign exports. */
export const keyTexts = {
  title: 'Signing key',
  copy: 'Copy the fingerprint {start}',
  copied: 'Fingerprint copied.',
  copyFailed: 'The browser did not allow copying. The fingerprint: {fingerprint}',
  save: 'Download the public key {start}',
  fileName: 'osprey-signing-key-{start}.pem',
  earlier: 'An earlier key; what it signed stays valid.',
  failed: 'The keys could not be read: {text}',
} as const;
