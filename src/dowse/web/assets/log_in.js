import { post } from "./api.js";

const form = document.getElementById("log-in");
const trouble = document.getElementById("trouble");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble.hidden = true;
  try {
    await post("/api/login", { password: form.elements.password.value });
    location.assign("/");
  } catch (error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
    form.elements.password.select();
  }
});
