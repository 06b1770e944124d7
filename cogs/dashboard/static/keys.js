// Keys for lists (j, k, x, a, r, u, e), and the count of a selection.
(() => {
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const isTyping = (target) => target.closest("input:not([type=checkbox]), select, textarea, dialog");
  let rowId = "";

  const row = () => document.getElementById(rowId);
  const choose = (step) => {
    const rows = all("[data-row]");
    const at = rows.indexOf(row());
    const next = rows[at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)];
    if (!next) return;
    rowId = next.id;
    next.tabIndex = -1;
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  const press = (key) => {
    const inRow = row()?.querySelector(`[data-key="${key}"]`);
    if (inRow) return inRow.click();
    const bulk = document.querySelector(`[data-bulk="${key}"]`);
    const boxes = all("#selection input[name=ids]");
    if (!bulk || !boxes.length) return;
    if (!boxes.some((box) => box.checked)) row()?.querySelector("[data-key=x]")?.click();
    bulk.click();
  };

  const count = () => {
    const form = document.getElementById("selection");
    if (!form) return;
    const boxes = all("input[name=ids]", form);
    const checked = boxes.filter((box) => box.checked).length;
    const label = form.querySelector(".count");
    label.dataset.none ??= label.textContent;
    label.textContent = checked ? label.dataset.count.replace("#", checked) : label.dataset.none;
    for (const button of all("[data-bulk]", form)) button.disabled = !checked;
    const every = form.querySelector("[data-all]");
    every.hidden = false;
    every.checked = checked === boxes.length;
    every.indeterminate = checked > 0 && checked < boxes.length;
  };

  document.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)) {
      if (event.key === "j") choose(1);
      else if (event.key === "k") choose(-1);
      else if ("xareu".includes(event.key)) press(event.key);
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-all]")) {
      for (const box of all("#selection input[name=ids]")) box.checked = event.target.checked;
    }
    if (event.target.closest("#selection")) count();
  });
  document.addEventListener("focusin", (event) => {
    rowId = event.target.closest("[data-row]")?.id ?? rowId;
  });
  document.addEventListener("htmx:afterSettle", () => {
    count();
    if (document.activeElement === document.body && row()) choose(0);
  });
  document.addEventListener("DOMContentLoaded", count);
})();
