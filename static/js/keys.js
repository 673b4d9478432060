/* "/" puts the cursor in the search, unless one is already writing somewhere. */
document.addEventListener("keydown", function (event) {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const search = document.querySelector("#search");
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.select();
});
