// The buttons of the demo: they do to the simulated table what luck and visitors do to a real one.

const bar = document.createElement("nav");
bar.id = "demo";
bar.setAttribute("aria-label", "Demo");
const words = document.createElement("p");
bar.append(words);
document.body.prepend(bar);

const buttons = new Map();

async function ask(path, method) {
  try {
    const answer = await fetch(path, { method });
    if (answer.ok) draw(await answer.json());
  } catch {
    // the next look will tell
  }
}

function draw(state) {
  const text = state.plays ? "Demo: this table plays itself" : "Demo: nobody deals at this table";
  if (words.textContent !== text) words.textContent = text;
  for (const { name, label, pressed } of state.buttons) {
    let button = buttons.get(name);
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.dataset.deed = name;
      button.addEventListener("click", () => ask(`/demo/${name}`, "POST"));
      buttons.set(name, button);
      bar.append(button);
    }
    if (button.textContent !== label) button.textContent = label;
    button.setAttribute("aria-pressed", pressed);
  }
  for (const [name, button] of buttons) button.hidden = !state.buttons.some((each) => each.name === name);
}

ask("/demo", "GET");
setInterval(() => ask("/demo", "GET"), 1500);
