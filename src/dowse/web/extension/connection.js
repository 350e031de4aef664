// Requests to dowse serve, with the token of a code such as http://127.0.0.1:8717#TOKEN.

const KEY = "code";

export class Connection {
  #address = "";
  #token = "";

  constructor() {
    this.get = (path) => this.#call("GET", path);
    this.post = (path, body = {}) => this.#call("POST", path, body);
  }

  /** The code of the last connection: only pages of the extension can read it. */
  get remembered() {
    return localStorage.getItem(KEY) ?? "";
  }

  get address() {
    return this.#address;
  }

  /** Connect by a code; what the server says of rule tables. */
  async open(code) {
    const [address, token] = code.split("#");
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol) || !token) {
      throw new Error("that is no code; one looks like http://127.0.0.1:8717#TOKEN");
    }
    this.#address = new URL(address).origin;
    this.#token = token;
    const answer = await this.get("/api/builder/tables");
    localStorage.setItem(KEY, code);
    return answer;
  }

  close() {
    localStorage.removeItem(KEY);
  }

  async #call(method, path, body) {
    let answer;
    try {
      answer = await fetch(this.#address + path, {
        method,
        credentials: "omit",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.#token}` },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch {
      throw new Error(`dowse serve does not answer at ${this.#address}; is it still running?`);
    }
    const value = await answer.json().catch(() => ({}));
    if (answer.status === 401) throw new Error("dowse serve does not know the code any more; make another one");
    if (!answer.ok) throw new Error(value.message ?? answer.statusText);
    return value;
  }
}
