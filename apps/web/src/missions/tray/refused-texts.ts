export const texts = {
  alertTitle: 'Error',
  error: 'Error uploading mission {mission}/{sensor}: {message}',
  message: '{file}: {text}',
  holds: 'Mission {mission} holds only {files}.',
  holdsNone: 'Mission {mission} holds no files.',
  sending: 'Other files of it are still being sent.',
  open: 'Open',
  remove: 'Delete mission',
  importError: 'Error uploading archive {file}: {message}',
  tilesError: 'Error adding the map layer {file}: {message}',
};
