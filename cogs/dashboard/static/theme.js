// Light, dark, or as the system has it: chosen by a button, remembered in this browser only.
(() => {
  const themes = ["auto", "light", "dark"];
  const root = document.documentElement;
  const chosen = () => themes.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto";
  const apply = () => { root.dataset.theme = chosen(); };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const tell = () => { button.textContent = button.dataset[chosen()]; };
    tell();
    button.hidden = false;
    button.addEventListener("click", () => {
      localStorage.setItem("theme", themes[(themes.indexOf(chosen()) + 1) % themes.length]);
      apply();
      tell();
    });
  });
})();
