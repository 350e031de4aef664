"use strict";
(() => {
  const form = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const sought = document.getElementById("sought");
  const articles = [...document.querySelectorAll("article")];
  const texts = articles.map((article) => article.textContent.toLowerCase());
  const wanted = (name) => {
    const boxes = [...form.querySelectorAll(`input[name=${name}]`)];
    return boxes.length ? new Set(boxes.filter((box) => box.checked).map((box) => box.value)) : null;
  };
  const update = () => {
    const kinds = wanted("kind"), whats = wanted("what");
    const words = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    articles.forEach((article, place) => {
      const isWanted = (!kinds || kinds.has(article.dataset.kind)) && (!whats || whats.has(article.dataset.what))
        && words.every((word) => texts[place].includes(word));
      article.hidden = !isWanted;
      number += isWanted;
    });
    shown.textContent = number === articles.length ? "" : `${number} of ${articles.length} shown`;
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = articles.length < 2;
  update();
})();
