// Shows a number's note beside it: on hover, on focus, on tap. Without this, its link leads there.
"use strict";
{
  const popover = document.getElementById("popover");
  let shown = null;
  let pinned = false;
  let leaving = 0;

  const close = () => {
    if (shown) shown.removeAttribute("aria-expanded");
    shown = null;
    pinned = false;
    popover.hidden = true;
  };
  const place = (mark) => {
    popover.removeAttribute("style");
    if (matchMedia("(max-width: 40rem)").matches) return;
    const at = mark.getClientRects()[0];
    const size = popover.getBoundingClientRect();
    const left = Math.max(12, Math.min(at.left, innerWidth - size.width - 12));
    const below = at.bottom + 8 + size.height <= innerHeight;
    const top = below ? at.bottom + 8 : Math.max(12, at.top - 8 - size.height);
    popover.style.left = `${left}px`;
    popover.style.top = `${top}px`;
  };
  const show = (mark) => {
    clearTimeout(leaving);
    if (shown === mark) return;
    close();
    const note = document.getElementById(mark.hash.slice(1));
    if (!note) return;
    const copy = note.cloneNode(true);
    copy.removeAttribute("id");
    for (const link of copy.querySelectorAll("a")) link.remove();
    const holder = document.createElement("div");
    holder.append(...copy.childNodes);
    holder.className = copy.className;
    popover.replaceChildren(holder);
    popover.hidden = false;
    popover.scrollTop = 0;
    mark.setAttribute("aria-expanded", "true");
    shown = mark;
    place(mark);
  };
  // A sheet at the foot of a narrow screen must not hide the number that it is about.
  const reveal = (mark) => {
    const hidden = mark.getBoundingClientRect().bottom + 16 - popover.getBoundingClientRect().top;
    if (matchMedia("(max-width: 40rem)").matches && hidden > 0) scrollBy(0, hidden);
  };
  const leave = () => {
    if (!pinned) leaving = setTimeout(close, 200);
  };

  for (const mark of document.querySelectorAll(".mark")) {
    mark.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse" && !pinned) show(mark);
    });
    mark.addEventListener("pointerleave", leave);
    mark.addEventListener("focus", () => show(mark));
    mark.addEventListener("blur", leave);
    mark.addEventListener("click", (event) => {
      event.preventDefault();
      if (shown === mark && pinned) return close();
      show(mark);
      reveal(mark);
      pinned = true;
    });
  }
  popover.addEventListener("pointerenter", () => clearTimeout(leaving));
  popover.addEventListener("pointerleave", leave);
  addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".mark, #popover")) close();
  });
  addEventListener("scroll", () => { if (shown) place(shown); }, { passive: true });
  addEventListener("resize", close);
}
