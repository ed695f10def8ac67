"use strict";

// The page asks its own service only. The token lives in sessionStorage; nothing else is kept.

const SHOWN = 500;
const TOKEN = "florilegium-token";
const ROWS = { CSV: "text/csv", TSV: "text/tab-separated-values", JSON: "application/sparql-results+json", XML: "application/sparql-results+xml" };
const GRAPHS = { Turtle: "text/turtle", "N-Triples": "application/n-triples", "JSON-LD": "application/ld+json", "RDF/XML": "application/rdf+xml", "N-Quads": "application/n-quads" };
const ENDINGS = { CSV: "csv", TSV: "tsv", JSON: "json", XML: "xml", Turtle: "ttl", "N-Triples": "nt", "JSON-LD": "jsonld", "RDF/XML": "rdf", "N-Quads": "nq" };

const byId = (id) => document.getElementById(id);
let prefixes = [];
let running = null;

function make(tag, text, attributes) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  Object.entries(attributes || {}).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

function say(text, wrong) {
  const status = byId("status");
  status.textContent = text;
  status.className = wrong ? "error" : "";
}

function editor(data) {
  const words = Object.keys(data.prefixes).map((each) => each + ":").concat(data.terms);
  const complete = {
    name: "here",
    bulk: false,
    autoShow: false,
    isValidCompletionPosition: (yasqe) => !/^[?$"'<#]/.test(yasqe.getCompleteToken().string),
    get: (yasqe, token) => {
      const start = token ? token.string.trim().toLowerCase() : "";
      return words.filter((each) => each.toLowerCase().startsWith(start));
    },
  };
  // What the package would ask other hosts for is left out for good.
  delete Yasqe.Autocompleters.property;
  delete Yasqe.Autocompleters.class;
  delete Yasqe.Autocompleters.prefixes;
  Yasqe.defaults.autocompleters = [];
  Yasqe.registerAutocompleter(complete);
  const made = new Yasqe(byId("editor"), {
    value: data.examples[0].text.trim() + "\n",
    autocompleters: ["variables", "here"],
    persistenceId: null,
    consumeShareLink: null,
    createShareableLink: null,
    createShortLink: null,
    prefixCcApi: null,
    showQueryButton: false,
    resizeable: false,
    queryingDisabled: "use Run",
    screenReaderLabel: "SPARQL query",
    extraKeys: Object.assign({}, Yasqe.defaults.extraKeys, {
      "Ctrl-Enter": () => run(),
      "Cmd-Enter": () => run(),
      "Ctrl-S": () => {},
      Tab: (yasqe) => yasqe.execCommand("insertSoftTab"),
      Esc: () => byId("run").focus(),
    }),
  });
  const input = made.getInputField();
  input.setAttribute("aria-label", "SPARQL query");
  input.setAttribute("aria-describedby", "editor-hint");
  return made;
}

function headers(accept) {
  const token = sessionStorage.getItem(TOKEN);
  return Object.assign({ Accept: accept }, token ? { Authorization: "Bearer " + token } : {});
}

async function ask(query, accept) {
  if (running) running.abort();
  const control = new AbortController();
  running = control;
  byId("stop").disabled = false;
  byId("results").setAttribute("aria-busy", "true");
  say("Asking …");
  try {
    const answer = await fetch("/sparql", {
      method: "POST",
      headers: headers(accept),
      body: new URLSearchParams({ query }),
      signal: control.signal,
      credentials: "omit",
    });
    if (answer.status === 401) {
      byId("token-form").hidden = false;
      byId("token").focus();
    }
    if (!answer.ok) throw new Error((await answer.text()).trim() || answer.statusText);
    byId("forget").hidden = !sessionStorage.getItem(TOKEN);
    return { type: answer.headers.get("Content-Type") || "", body: await answer.blob() };
  } catch (error) {
    const stopped = error.name === "AbortError";
    if (running === control) {
      if (stopped) say("Stopped.");
      else say(error.message, true);
    }
    return null;
  } finally {
    if (running === control) {
      running = null;
      byId("stop").disabled = true;
      byId("results").setAttribute("aria-busy", "false");
    }
  }
}

async function run() {
  const began = performance.now();
  byId("results").replaceChildren();
  const found = await ask(yasqe.getValue(), "application/sparql-results+json, text/turtle;q=0.9");
  if (!found) return;
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  const text = await found.body.text();
  if (!found.type.includes("json")) {
    byId("results").replaceChildren(make("pre", text, { tabindex: "0", "aria-label": "Turtle" }));
    say(`A graph of ${text.length.toLocaleString("en-GB")} characters in ${seconds} s`);
    return;
  }
  const answer = JSON.parse(text);
  if ("boolean" in answer) {
    byId("results").replaceChildren(make("p", answer.boolean ? "Yes" : "No"));
    say(`${answer.boolean ? "Yes" : "No"}, in ${seconds} s`);
    return;
  }
  const rows = answer.results.bindings;
  const count = `${rows.length.toLocaleString("en-GB")} ${rows.length === 1 ? "row" : "rows"}`;
  byId("results").replaceChildren(table(answer.head.vars, rows, count));
  say(`${count} in ${seconds} s`);
}

function table(names, rows, count) {
  const made = make("table");
  const shown = Math.min(SHOWN, rows.length);
  made.append(make("caption", rows.length > shown ? `${count}; the first ${shown} are shown, Download has all` : count));
  const head = make("tr");
  names.forEach((name) => head.append(make("th", name, { scope: "col" })));
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  rows.slice(0, shown).forEach((row) => {
    const line = make("tr");
    names.forEach((name) => line.append(cell(row[name])));
    body.append(line);
  });
  made.append(top, body);
  return made;
}

function cell(value) {
  if (!value) return make("td", "");
  if (value.type === "uri") {
    const made = make("td");
    const button = make("button", shorten(value.value), { type: "button", title: `Describe ${value.value}` });
    button.addEventListener("click", () => {
      yasqe.setValue(`DESCRIBE <${value.value}>\n`);
      run();
    });
    made.append(button);
    return made;
  }
  const made = make("td", value.value);
  if (/#(integer|decimal|double|float)$/.test(value.datatype || "")) made.className = "number";
  if (value["xml:lang"]) {
    made.setAttribute("lang", value["xml:lang"]);
    made.append(" ", make("small", `@${value["xml:lang"]}`));
  }
  return made;
}

function shorten(iri) {
  for (const [prefix, namespace] of prefixes) {
    const local = iri.slice(namespace.length);
    if (iri.startsWith(namespace) && local && !/[/#]/.test(local)) return `${prefix}:${local}`;
  }
  return iri;
}

async function download() {
  const name = byId("format").value;
  const found = await ask(yasqe.getValue(), ROWS[name] || GRAPHS[name]);
  if (!found) return;
  const address = URL.createObjectURL(found.body);
  const link = make("a", "", { href: address, download: `answer.${ENDINGS[name]}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say(`Downloaded as ${name}`);
}

function offerFormats() {
  const form = yasqe.getQueryType();
  const offered = Object.keys(form === "CONSTRUCT" || form === "DESCRIBE" ? GRAPHS : ROWS);
  const box = byId("format");
  if (box.options.length && box.options[0].value === offered[0]) return;
  box.replaceChildren(...offered.map((each) => make("option", each, { value: each })));
}

function offer(data) {
  const box = byId("choose");
  const groups = [["Ready questions", data.ready], ["Examples", data.examples]];
  groups.forEach(([label, entries], group) => {
    const made = make("optgroup", undefined, { label });
    entries.forEach((each, place) => made.append(make("option", each.title, { value: `${group}:${place}` })));
    box.append(made);
  });
  box.addEventListener("change", () => {
    const [group, place] = box.value.split(":").map(Number);
    const chosen = box.value ? groups[group][1][place] : null;
    byId("about").textContent = (chosen && chosen.about) || "";
    const form = byId("params");
    form.replaceChildren();
    form.hidden = !chosen || !chosen.params;
    if (!chosen) return;
    if (chosen.params) askValues(chosen, form);
    else yasqe.setValue(chosen.text.trim() + "\n");
  });
}

function askValues(question, form) {
  question.params.forEach((param) => {
    const row = make("div", undefined, { class: "row" });
    const input = make("input", undefined, {
      id: `param-${param.name}`,
      name: param.name,
      placeholder: param.example,
      "aria-describedby": `about-${param.name}`,
    });
    input.required = param.needed;
    if (param.default) input.value = param.default;
    const label = make("label", param.name + (param.needed ? " (needed)" : ""), { for: input.id });
    row.append(label, input, make("span", param.about, { id: `about-${param.name}`, class: "hint" }));
    form.append(row);
  });
  form.append(make("button", "Write the query", { type: "submit" }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const values = new URLSearchParams({ ready: question.name });
    question.params.forEach((param) => {
      const given = form.elements[param.name].value.trim();
      if (given) values.set(param.name, given);
    });
    const answer = await fetch(`/page.json?${values}`, { credentials: "omit" });
    if (!answer.ok) {
      say((await answer.text()).trim(), true);
      return;
    }
    yasqe.setValue((await answer.json()).text);
    say("The query is written; Run asks it.");
  };
  if (!question.params.some((param) => param.needed)) form.requestSubmit();
}

function offerToken() {
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, byId("token").value.trim());
    byId("token").value = "";
    byId("token-form").hidden = true;
    run();
  });
  byId("forget").addEventListener("click", () => {
    sessionStorage.removeItem(TOKEN);
    byId("forget").hidden = true;
    byId("results").replaceChildren();
    say("The token is forgotten.");
  });
}

let yasqe;

async function begin() {
  const data = await (await fetch("/page.json", { credentials: "omit" })).json();
  prefixes = Object.entries(data.prefixes).sort((a, b) => b[1].length - a[1].length);
  Object.entries(data.prefixes).forEach(([prefix, namespace]) => {
    const pair = make("div");
    pair.append(make("dt", prefix + ":"), make("dd", namespace));
    byId("prefixes").append(pair);
  });
  yasqe = editor(data);
  yasqe.on("change", offerFormats);
  offerFormats();
  offer(data);
  offerToken();
  byId("forget").hidden = !sessionStorage.getItem(TOKEN);
  byId("run").addEventListener("click", run);
  byId("stop").addEventListener("click", () => running && running.abort());
  byId("download").addEventListener("click", download);
}

begin().catch((error) => say(`The page could not start: ${error.message}`, true));
