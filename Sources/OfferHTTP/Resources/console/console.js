// This script only makes the console more convenient: every page works without it.
"use strict";
const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
const distance = (seconds) => {
  const [size, name] = units.find(([size]) => seconds >= size) || units[3];
  return `${Math.floor(seconds / size)} ${name}`;
};
const tick = () => {
  for (const time of document.querySelectorAll("time[data-live]")) {
    const seconds = Math.round((Date.parse(time.dateTime) - Date.now()) / 1000);
    time.nextElementSibling.textContent = seconds > 0 ? `(in ${distance(seconds)})` : `(${distance(-seconds)} ago)`;
  }
};
for (const time of document.querySelectorAll("time")) {
  const zone = time.dataset.zone;
  if (zone) {
    try {
      time.title = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone: zone }).format(new Date(time.dateTime));
    } catch { /* A zone that this browser does not know. */ }
  }
}
tick();
setInterval(tick, 1000);
for (const field of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn sm";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  });
  field.after(button);
}
document.documentElement.classList.add("scripted");
// After a choice, other inputs may be needed. The form is sent to the server, which makes them.
const refresh = document.querySelector("button[value=refresh]");
for (const choice of document.querySelectorAll("select[data-refresh]")) {
  choice.addEventListener("change", () => {
    refresh.formAction = `${refresh.form.action.split("#")[0]}#${choice.id}`;
    refresh.form.requestSubmit(refresh);
  });
}
// On a phone only one section of the editor is open. It is the section to which a link leads, or one with an error, or the first.
const parts = [...document.querySelectorAll("details.part")];
const named = () => (location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null);
if (matchMedia("(max-width: 48rem)").matches) {
  const place = named();
  const shown = parts.find((part) => place && part.contains(place)) || parts.find((part) => part.querySelector("[aria-invalid], .error")) || parts[0];
  for (const part of parts) part.open = part === shown;
  if (shown && place && shown.contains(place)) place.scrollIntoView();
}
addEventListener("hashchange", () => {
  const part = named()?.closest("details.part");
  if (part) part.open = true;
});
// The text of a chosen offer can be too long for the closed list, so it is also shown below the list.
for (const choice of document.querySelectorAll(".offers select")) {
  choice.addEventListener("change", () => { choice.nextElementSibling.textContent = choice.value && choice.selectedOptions[0].label; });
}
// Counts the customers in an audience without reloading the page, so that the form stays as it is.
const count = async (button) => {
  const body = new URLSearchParams(new FormData(button.form));
  body.set("op", "reach");
  body.set("part", "reach");
  const answer = await fetch(button.formAction.split("#")[0], { method: "POST", body }).catch(() => null);
  const found = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("reach");
  const panel = document.getElementById("reach");
  if (!found) return button.form.requestSubmit(button);
  const hadFocus = panel.contains(document.activeElement);
  panel.replaceChildren(...found.childNodes);
  const next = panel.querySelector("button[value=reach]");
  if (hadFocus) next.focus({ preventScroll: true });
  if ("counting" in found.dataset) setTimeout(() => count(next), 300);
};
document.getElementById("reach")?.addEventListener("click", (event) => {
  const button = event.target.closest("button[value=reach]");
  if (!button) return;
  event.preventDefault();
  count(button);
});
document.querySelector("form[data-resume] button")?.click();
const unsaved = document.querySelector("form[data-unsaved]");
if (unsaved) {
  // A page that answered a form would ask, when it is gone back to or loaded again, whether to send the form again.
  history.replaceState(null, "", location.href);
  let isChanged = unsaved.dataset.unsaved === "yes";
  unsaved.addEventListener("input", () => { isChanged = true; });
  unsaved.addEventListener("submit", () => { isChanged = false; });
  addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
}
