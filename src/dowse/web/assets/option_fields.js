// Fields of options: what they hold, and what is wrong with it beside each.

const read = {
  switch: (field) => field.checked,
  choice: (field) => field.value,
  list: (field) => field.value.split("\n").map((line) => line.trim()).filter(Boolean),
  text: (field) => field.value.trim(),
  whole: (field) => number(field.value),
  number: (field) => number(field.value),
};

function number(text) {
  const value = Number(text.trim());
  return text.trim() === "" || Number.isNaN(value) ? text.trim() : value;
}

/** Every option that is not as it is by default. */
export function givenOptions(form) {
  const options = {};
  for (const field of form.querySelectorAll("[data-kind]")) {
    const value = read[field.dataset.kind](field);
    const isNothing = value === "" && field.dataset.kind !== "text";
    if (!isNothing && JSON.stringify(value) !== JSON.stringify(JSON.parse(field.dataset.default))) options[field.name] = value;
  }
  return options;
}

/** Show problems at the fields that `shows` says; the answer is those without a field. */
export function showProblems(form, problems, shows) {
  const told = new Map();
  const rest = [];
  for (const problem of problems) {
    const place = form.querySelector(`[data-problem="${CSS.escape(problem.key)}"]`);
    if (place && !told.has(problem.key)) told.set(problem.key, problem.message.replace(`${problem.key}: `, ""));
    else if (!place) rest.push(problem.message);
  }
  for (const place of form.querySelectorAll("[data-problem]")) {
    const name = place.dataset.problem;
    const field = form.elements[name];
    const message = shows(name) ? told.get(name) : undefined;
    place.hidden = !message;
    place.textContent = message ?? "";
    if (message) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }
  return rest;
}

/** Bring the first wrong field into view, out of its fold. */
export function goToProblem(form) {
  const field = form.querySelector("[aria-invalid=true]");
  if (!field) return;
  const fold = field.closest("details");
  if (fold) fold.open = true;
  field.focus();
}
