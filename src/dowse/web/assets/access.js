// Links and tokens: made and shown once; tokens are listed and ended.

import { post } from "./api.js";

/** The list as it is now. What was just made stays on the page: it is shown only once. */
async function refreshTokens() {
  const fresh = new DOMParser().parseFromString(await (await fetch("/access")).text(), "text/html");
  document.getElementById("tokens").replaceWith(fresh.getElementById("tokens"));
}

for (const button of document.querySelectorAll("[data-make]")) {
  button.addEventListener("click", async () => {
    const shown = button.nextElementSibling;
    try {
      const made = (await post(button.dataset.make))[button.dataset.show];
      shown.textContent = made.startsWith("/") ? location.origin + made : made;
      await refreshTokens();
    } catch (error) {
      shown.textContent = error.message;
    }
  });
}

document.querySelector("main").addEventListener("click", async (event) => {
  const button = event.target.closest("[data-end]");
  if (!button) return;
  // Ended elsewhere meanwhile, it is gone from the list too.
  await post(`/api/tokens/${button.dataset.end}/end`).catch(() => {});
  await refreshTokens();
});

document.getElementById("log-out").addEventListener("click", async () => {
  await post("/api/logout");
  location.assign("/login");
});
