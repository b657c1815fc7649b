// Runs before anything is painted, so that nobody who chose light sees a dark page first. Material UI keeps the choice.
const chosen = localStorage.getItem('mui-mode');
const asSystem = chosen === 'system' && matchMedia('(prefers-color-scheme: light)').matches;
document.documentElement.dataset.scheme = chosen === 'light' || asSystem ? 'light' : 'dark';
