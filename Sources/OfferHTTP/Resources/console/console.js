// Saves time; every page works without it.
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
// Inputs that fit what was chosen: the server makes them.
const refresh = document.querySelector("button[value=refresh]");
for (const choice of document.querySelectorAll("select[data-refresh]")) {
  choice.addEventListener("change", () => {
    refresh.formAction = `${refresh.form.action.split("#")[0]}#${choice.id}`;
    refresh.form.requestSubmit(refresh);
  });
}
const unsaved = document.querySelector("form[data-unsaved]");
if (unsaved) {
  let isChanged = false;
  unsaved.addEventListener("input", () => { isChanged = true; });
  unsaved.addEventListener("submit", () => { isChanged = false; });
  addEventListener("beforeunload", (event) => { if (isChanged) event.preventDefault(); });
}
