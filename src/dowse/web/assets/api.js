// Requests to the API, with the CSRF token of the page and errors as sentences.

const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";

export class ApiError extends Error {
  constructor(status, message, key) {
    super(message);
    this.status = status;
    this.key = key;
  }
}

export async function call(method, path, body) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, "dowse serve does not answer; is it still running?", "");
  }
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new ApiError(answer.status, value.message ?? answer.statusText, value.key ?? "");
  return value;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);

/** Fill an element with text and elements; texts are never taken for HTML. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat());
  return element;
}

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  return fill(element, ...children);
}
