import { post } from "./api.js";

for (const button of document.querySelectorAll("[data-make]")) {
  button.addEventListener("click", async () => {
    const shown = button.nextElementSibling;
    try {
      const made = (await post(button.dataset.make))[button.dataset.show];
      shown.textContent = made.startsWith("/") ? location.origin + made : made;
    } catch (error) {
      shown.textContent = error.message;
    }
  });
}

document.getElementById("log-out").addEventListener("click", async () => {
  await post("/api/logout");
  location.assign("/login");
});
