// Says at each number of a policy how it differs from the active policy, and resets it alone.
(() => {
  const differs = (input, value) => input.value.trim() !== value && Number(input.value) !== Number(value);
  const update = (input) => {
    const field = input.closest("[data-field]");
    field.classList.toggle("changed", differs(input, input.dataset.active));
    field.querySelector("[data-reset]").hidden = !differs(input, input.dataset.standard);
  };
  const inputs = () => document.querySelectorAll("input[data-standard]");
  document.addEventListener("DOMContentLoaded", () => inputs().forEach(update));
  document.addEventListener("input", (event) => {
    if (event.target.dataset.standard !== undefined) update(event.target);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-reset]");
    if (!button) return;
    const input = button.closest("[data-field]").querySelector("input[data-standard]");
    input.value = input.dataset.standard;
    update(input);
    input.dispatchEvent(new Event("change", { bubbles: true }));
    input.focus();
  });
})();
