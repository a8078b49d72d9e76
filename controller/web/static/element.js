// Makes elements: the small words in which the pages are drawn.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (`class`, `data-...`, `aria-...`) and content; what is null or false is left out. */
export function make(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false && value !== "") made.setAttribute(key, value);
  }
  made.append(...content.flat().filter((part) => part !== null && part !== false && part !== ""));
  return made;
}

export function svg(name, attributes = {}, ...content) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/** A rule beside what it says; nothing where no rule does. */
export function rule(number) {
  return number ? make("span", { class: "rule" }, ` rule ${number}`) : null;
}

/** Makes an element's content these nodes; what is the same already stays, so that nobody loses the place. */
export function become(element, ...wanted) {
  [...wanted].forEach((node, n) => {
    const old = element.childNodes[n];
    if (!old) element.append(node);
    else if (old.isEqualNode(node)) return;
    else if (old.nodeType === Node.TEXT_NODE && node.nodeType === Node.TEXT_NODE) old.data = node.data;
    else if (old.nodeName !== node.nodeName || old.nodeType !== Node.ELEMENT_NODE) old.replaceWith(node);
    else {
      for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name);
      for (const { name, value } of node.attributes) old.setAttribute(name, value);
      become(old, ...node.childNodes);
    }
  });
  while (element.childNodes.length > wanted.length) element.lastChild.remove();
}
