// Light, dark, or as the system has it: chosen by a button, remembered in this browser only.
(() => {
  const names = { auto: "auto", light: "light", dark: "dark" };
  const root = document.documentElement;
  const chosen = () => localStorage.getItem("theme") in names ? localStorage.getItem("theme") : "auto";
  const apply = () => { root.dataset.theme = chosen(); };
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const tell = () => { button.textContent = `Theme: ${names[chosen()]}`; };
    tell();
    button.hidden = false;
    button.addEventListener("click", () => {
      const order = Object.keys(names);
      localStorage.setItem("theme", order[(order.indexOf(chosen()) + 1) % order.length]);
      apply();
      tell();
    });
  });
})();
