-- Turns Quarto's conventions (cross-references, callouts, light/dark figures) into what plain
-- pandoc writes well, for HTML and for GFM. Whatever is wrong is a warning; the caller fails on it.

local is_html = FORMAT:match("html") ~= nil

local LABELS = { fig = "Figure", tbl = "Table" }
local CALLOUTS = {
  note = "Note", tip = "Tip", warning = "Warning", important = "Important", caution = "Caution",
}
local MIME_TYPES = {
  svg = "image/svg+xml", png = "image/png", jpg = "image/jpeg", jpeg = "image/jpeg",
  gif = "image/gif", webp = "image/webp", avif = "image/avif",
}
-- Punctuation that GitHub drops from heading anchors; other characters beyond ASCII stay.
local ANCHOR_DROPS = { "“", "”", "‘", "’", "–", "—", "…", "×", "·", "±", "≤", "≥", "→", "≈" }

-- A label and its number stay on one line; Markdown gets a space that is easy to search for.
local GLUE = is_html and "\u{a0}" or " "

local labels = {}   -- "fig-x" -> "Figure 1"
local headings = {} -- heading id -> { text = ..., anchor = ... }

local function warn(message)
  pandoc.log.warn(message)
end

local function kind_of(id)
  return id:match("^(%a+)%-.")
end

-- First pass: numbers and anchors ------------------------------------------------------------

local counts = { fig = 0, tbl = 0 }

local function number(element)
  local kind = kind_of(element.identifier)
  if not LABELS[kind] then return end
  if labels[element.identifier] then
    warn(("duplicate id #%s; give every figure and table its own"):format(element.identifier))
    return
  end
  counts[kind] = counts[kind] + 1
  labels[element.identifier] = LABELS[kind] .. GLUE .. counts[kind]
end

local seen_anchors = {}

local function anchor(text)
  local slug = pandoc.text.lower(text)
  for _, mark in ipairs(ANCHOR_DROPS) do slug = slug:gsub(mark, "") end
  slug = slug:gsub("[%c%p]", function(c) return (c == "-" or c == "_") and c or "" end)
  slug = slug:gsub("\u{a0}", " "):gsub(" ", "-")
  local earlier = seen_anchors[slug]
  seen_anchors[slug] = (earlier or 0) + 1
  return earlier and ("%s-%d"):format(slug, earlier) or slug
end

local function remember(header)
  local text = pandoc.utils.stringify(header.content)
  if headings[header.identifier] then
    warn(("duplicate id #%s; give every section its own"):format(header.identifier))
  end
  headings[header.identifier] = { text = text, anchor = anchor(text) }
end

local collect = {
  traverse = "topdown", Header = remember, Figure = number, Table = number, Div = number,
}

-- References ---------------------------------------------------------------------------------

local function link(text, id)
  if is_html then return pandoc.Link(text, "#" .. id, "", { class = "bp-ref" }) end
  if headings[id] then return pandoc.Link(text, "#" .. headings[id].anchor) end
  return pandoc.Span(text)
end

local function reference_text(citation)
  local id = citation.id
  if headings[id] then return headings[id].text end
  local label = labels[id]
  if not label then return nil end
  local bare = label:match("%d+$")
  if citation.mode == "SuppressAuthor" then return bare end
  if #citation.prefix == 0 then return label end
  return pandoc.utils.stringify(citation.prefix) .. GLUE .. bare
end

local function is_reference(citation)
  local kind = kind_of(citation.id)
  return LABELS[kind] ~= nil or kind == "sec"
end

local function refer(cite)
  if not cite.citations:find_if(is_reference) then return nil end
  local inlines = pandoc.Inlines {}
  for position, citation in ipairs(cite.citations) do
    local text = reference_text(citation)
    if not text then
      warn(("unresolved reference @%s; give its target the id #%s, or write \\@ for a literal @")
        :format(citation.id, citation.id))
      return nil
    end
    if position > 1 then inlines:extend { pandoc.Str ",", pandoc.Space() } end
    inlines:insert(link({ pandoc.Str(text) }, citation.id))
    inlines:extend(citation.suffix)
  end
  return inlines
end

local function reject_citation(cite)
  for _, citation in ipairs(cite.citations) do
    if not is_reference(citation) then
      warn(("citation @%s without a bibliography; name one in the front matter, or write \\@ for a literal @")
        :format(citation.id))
    end
  end
end

local function relink(element)
  local id = element.target:match("^#(.+)$")
  if is_html or not id then return nil end
  return link(element.content, id)
end

-- Images -------------------------------------------------------------------------------------

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local bytes = file:read("a")
  file:close()
  return bytes
end

-- A post may come from a stranger: an image is a file below the post's folder and nothing else.
local function is_local(path)
  return not (path:match("^%a[%w+.-]*:") or path:match("^[/\\]") or path:match("%.%."))
end

local function alternative(image)
  local text = image.attributes["fig-alt"]
  image.attributes["fig-alt"] = nil
  if text then image.caption = { pandoc.Str(text) } end
  if #image.caption == 0 then
    warn(("image %s has no alternative text; add fig-alt and alt"):format(image.src))
  end
end

local function embed(image, path)
  local bytes = read(path)
  local mime = MIME_TYPES[(path:match("%.(%w+)$") or ""):lower()]
  if not bytes then
    warn(("image %s is missing; make the figures first"):format(path))
  elseif not mime then
    warn(("image %s is of no known type; use SVG or PNG"):format(path))
  elseif is_html then
    image.src = pandoc.mediabag.make_data_uri(mime, bytes)
  end
end

local function picture(image)
  alternative(image)
  if image.src:match("^data:") and is_html then return image end
  if not is_local(image.src) then
    warn(("image %s is outside the post's folder; copy it to figures/"):format(image.src))
    return image
  end
  -- Blog platforms often refuse SVG; the figure step writes a PNG beside each one.
  if not is_html then
    image.src = image.src:gsub("%.svg$", ".png")
    image.attr = pandoc.Attr()
  end
  embed(image, (image.src:gsub("%%20", " ")))
  return image
end

-- Figures and tables -------------------------------------------------------------------------

local function caption_inlines(caption)
  return pandoc.utils.blocks_to_inlines(caption.long, { pandoc.Space() })
end

local function labelled(id, inlines)
  local label = labels[id]
  if not label then return inlines end
  local text = pandoc.Str(label .. ":")
  local lead = is_html and pandoc.Span({ text }, { class = "bp-label" }) or text
  local result = pandoc.Inlines { lead, pandoc.Space() }
  result:extend(inlines)
  return result
end

local function italic(inlines)
  local flat = pandoc.Inlines(inlines):walk { Emph = function(e) return e.content end }
  return pandoc.Para { pandoc.Emph(flat) }
end

local function plain_images(blocks)
  return pandoc.Blocks(blocks):walk { Para = function(p) return pandoc.Plain(p.content) end }
end

local function repeats_caption(content, caption)
  local text, found = pandoc.utils.stringify(caption), false
  content:walk { Image = function(i) found = found or pandoc.utils.stringify(i.caption) == text end }
  return found and text ~= ""
end

local function figure(id, content, caption)
  if repeats_caption(content, caption) then
    warn(("figure %s only repeats its caption as alternative text; add fig-alt and alt"):format(id))
  end
  local inlines = labelled(id, caption)
  if is_html then
    local long = #inlines > 0 and { pandoc.Plain(inlines) } or {}
    return pandoc.Figure(plain_images(content), { long = long }, { id = id })
  end
  local blocks = content:map(function(b) return b.t == "Plain" and pandoc.Para(b.content) or b end)
  if #inlines > 0 then blocks:insert(italic(inlines)) end
  return blocks
end

local function is_caption(block)
  if not block or block.t ~= "Para" then return false end
  return block.content:find_if(function(i) return i.t ~= "Image" and i.t ~= "SoftBreak" end) ~= nil
end

local function split_caption(blocks)
  if not is_caption(blocks[#blocks]) then return blocks, pandoc.Inlines {} end
  local content = blocks:clone()
  local caption = content:remove().content
  return content, caption
end

local function is_simple(cell)
  return cell.row_span == 1 and cell.col_span == 1 and #cell.contents <= 1
    and (#cell.contents == 0 or cell.contents[1].t == "Plain" or cell.contents[1].t == "Para")
end

local function check_cells(grid)
  local rows = grid.head.rows:clone()
  for _, body in ipairs(grid.bodies) do rows:extend(body.body) end
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      if not is_simple(cell) then
        warn(("table %s has a cell that GFM cannot show; use one line a cell"):format(grid.identifier))
        return
      end
    end
  end
end

-- A bar ends a cell of GFM even in code, and what follows it would be live; pandoc leaves it so.
local function escape_pipes(code)
  code.text = code.text:gsub("|", "\\|")
  return code
end

local function gfm_table(grid, caption)
  check_cells(grid)
  grid = grid:walk { LineBreak = function() return pandoc.Space() end, Code = escape_pipes }
  grid.attr = pandoc.Attr()
  return #caption > 0 and { italic(caption), grid } or { grid }
end

local function escape(text)
  return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- The caption stays outside the box that scrolls, so that it never leaves a phone's screen.
local function html_table(id, grid, caption)
  local attributes = id ~= "" and (' id="%s"'):format(escape(id)) or ""
  local blocks = pandoc.Blocks { pandoc.RawBlock("html", ('<figure%s class="bp-table">'):format(attributes)) }
  if #caption > 0 then
    blocks:insert(pandoc.RawBlock("html", "<figcaption>"))
    blocks:insert(pandoc.Plain(caption))
    blocks:insert(pandoc.RawBlock("html", "</figcaption>"))
  end
  grid.attr = pandoc.Attr()
  blocks:insert(pandoc.Div({ grid }, { class = "bp-scroll" }))
  blocks:insert(pandoc.RawBlock("html", "</figure>"))
  return blocks
end

-- Pipe rows over 72 columns get widths from their dashes; spans make every row that long.
local function natural_widths(grid)
  grid.colspecs = grid.colspecs:map(function(spec) return { spec[1], nil } end)
  if #grid.colspecs < 3 then return end
  for _, body in ipairs(grid.bodies) do body.row_head_columns = 1 end
end

local function tabulate(grid)
  local id = grid.identifier
  local caption = labelled(id, caption_inlines(grid.caption))
  natural_widths(grid)
  grid.caption = { long = {} }
  if is_html then return html_table(id, grid, caption) end
  return gfm_table(grid, caption)
end

-- A table inside `::: {#tbl-x}`, its caption the last paragraph: the div's id is the table's.
local function adopt_tables(div)
  if kind_of(div.identifier) ~= "tbl" then return nil end
  local content, caption = split_caption(div.content)
  local adopted = content:map(function(block)
    if block.t ~= "Table" then return block end
    block.attr = pandoc.Attr(div.identifier)
    if #caption > 0 then block.caption = { long = { pandoc.Plain(caption) } } end
    return block
  end)
  return adopted
end

-- Callouts and other divs --------------------------------------------------------------------

local function callout_kind(div)
  for _, class in ipairs(div.classes) do
    local kind = class:match("^callout%-(%a+)$")
    if kind and CALLOUTS[kind] then return kind end
  end
  return nil
end

local function with_lead(blocks, lead)
  local first = blocks[1]
  if first and first.t == "Para" and first.content[1] and first.content[1].t == "Strong" then
    return blocks
  end
  local strong = pandoc.Strong { pandoc.Str(lead) }
  if first and first.t == "Para" then
    first.content:insert(1, pandoc.Space())
    first.content:insert(1, strong)
    return blocks
  end
  blocks:insert(1, pandoc.Para { strong })
  return blocks
end

local function callout(div, kind)
  local name = CALLOUTS[kind]
  if not is_html then
    local title = pandoc.Div({ pandoc.Para { pandoc.Str(name) } }, { class = "title" })
    local blocks = pandoc.Blocks { title }
    blocks:extend(div.content)
    return pandoc.Div(blocks, { class = kind })
  end
  local id = div.identifier ~= "" and (' id="%s"'):format(escape(div.identifier)) or ""
  local open = ('<aside%s class="callout callout-%s" role="note" aria-label="%s">'):format(id, kind, name)
  local blocks = pandoc.Blocks { pandoc.RawBlock("html", open) }
  blocks:extend(with_lead(div.content, div.attributes.title or (name .. ".")))
  blocks:insert(pandoc.RawBlock("html", "</aside>"))
  return blocks
end

local function divide(div)
  local kind = callout_kind(div)
  if kind then return callout(div, kind) end
  if kind_of(div.identifier) == "fig" then
    local content, caption = split_caption(div.content)
    return figure(div.identifier, content, caption)
  end
  if is_html then return nil end
  return div.content
end

-- GFM has one theme: the dark image goes before anything asks for its file.
local function drop_dark(div)
  if div.classes:includes("dark-content") then return {} end
end

-- GFM: the front matter becomes the first lines, ids and spans become nothing ------------------

local function heading(header)
  if is_html then return nil end
  header.attr = pandoc.Attr()
  return header
end

local function title_lines(meta)
  local blocks, byline = pandoc.Blocks {}, pandoc.Inlines {}
  if meta.title then blocks:insert(pandoc.Header(1, pandoc.Inlines(meta.title))) end
  if meta.subtitle then blocks:insert(italic(meta.subtitle)) end
  for _, key in ipairs { "author", "date" } do
    if meta[key] then
      if #byline > 0 then byline:extend { pandoc.Space(), pandoc.Str "·", pandoc.Space() } end
      byline:insert(pandoc.Str(pandoc.utils.stringify(meta[key])))
    end
  end
  if #byline > 0 then blocks:insert(pandoc.Para(byline)) end
  return blocks
end

-- A number and its unit stay on one line; a longer text must break on a phone.
local LONGEST_UNBROKEN = 24

local function mark_long(span)
  if not span.classes:includes("bp") then return nil end
  if pandoc.text.len(pandoc.utils.stringify(span.content)) <= LONGEST_UNBROKEN then return nil end
  span.classes:insert("bp-long")
  return span
end

local function unwrap(span)
  return span.content
end

local function reject_shortcode(str)
  if str.text:match("^{{<") then
    warn("a Quarto shortcode {{< … >}}, which plain pandoc cannot run; write its result")
  end
end

local function stylesheet()
  local css = read("benchproof.css")
  if not css then
    warn("benchproof.css is missing beside the post; render the post again")
    return nil
  end
  return pandoc.RawBlock("html", (css:gsub("</", "<\\/")))
end

function Pandoc(doc)
  if not is_html then doc = doc:walk { Div = drop_dark } end
  doc = doc:walk { Div = adopt_tables }
  doc:walk(collect)
  doc:walk { Str = reject_shortcode }
  if not doc.meta.bibliography then doc:walk { Cite = reject_citation } end
  doc = doc:walk { Cite = refer, Image = picture, Link = relink }
  doc = doc:walk {
    Div = divide,
    Figure = function(f) return figure(f.identifier, f.content, caption_inlines(f.caption)) end,
    Table = tabulate,
    Header = heading,
  }
  if is_html then
    doc.meta["bp-css"] = stylesheet()
    return doc:walk { Span = mark_long }
  end
  doc.blocks = title_lines(doc.meta) .. doc.blocks
  return doc:walk { Span = unwrap }
end
