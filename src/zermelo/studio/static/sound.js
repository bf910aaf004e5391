// Sounds, for whoever wants them: a knock for each move, two notes at the end. Made here; nothing is loaded.

import { checkbox } from "./dom.js";

const KEPT = "zermelo-sound";

// A short sound of a pitch in hertz, `after` so many seconds.
function knock(audio, pitch, seconds, after = 0) {
  const [voice, volume] = [audio.createOscillator(), audio.createGain()];
  const begin = audio.currentTime + after;
  voice.type = "triangle";
  voice.frequency.setValueAtTime(pitch, begin);
  voice.frequency.exponentialRampToValueAtTime(pitch / 2, begin + seconds);
  volume.gain.setValueAtTime(0.22, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
  voice.connect(volume).connect(audio.destination);
  voice.start(begin);
  voice.stop(begin + seconds);
}

// What was chosen last; a page without a memory, as in a cell of a notebook, begins without sounds.
function remember(choice = null) {
  try {
    if (choice) localStorage.setItem(KEPT, choice);
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export function makeSound() {
  let audio = null;
  let before = null; // the game, its length and whether it was over, as last heard
  const { holder, box } = checkbox("Sound", remember() === "on", (on) => {
    remember(on ? "on" : "off");
    if (on) play(false);
  });
  function play(over) {
    audio ??= new AudioContext();
    knock(audio, 420, 0.09);
    if (over) [523, 784].forEach((pitch, place) => knock(audio, pitch, 0.4, 0.15 + 0.2 * place));
  }
  return {
    el: holder,
    // Another snapshot of the game: heard is what is new in it.
    hear({ number, ply, result }) {
      const now = { number, ply, over: Boolean(result) };
      const isNew = before?.number === number && (ply > before.ply || (now.over && !before.over));
      before = now;
      if (isNew && box.checked) play(now.over);
    },
  };
}
