"""Tables of HTML whose cells span several rows or columns."""

from audit.wordings.forms import form, need
from audit.wordings.words import Words


@form
def html_colspan(w: Words) -> str:
    slow, fast = w.pair(w.world.place)
    way = w.world.way
    ways = [v for v in w.cube.keys[way] if w.like(slow, **{way: v}) and w.like(fast, **{way: v})]
    need(len(ways) > 1)
    span = f"<th colspan={len(ways)}>"
    head = (
        f"<tr><th rowspan=2>Model</th>{span}{w.device(slow)}</th>"
        f"{span}{w.device(fast)}</th></tr>\n"
        f"<tr>{''.join(f'<th>{w.shown(v)}</th>' for v in ways) * 2}</tr>\n"
    )
    body = ""
    for model in w.cube.keys["model"]:
        body += f"<tr><td>{model}</td>"
        for group in (slow, fast):
            for value in ways:
                one = w.like(group, model=model, **{way: value})
                body += f"<td>{w.number(one, unit=False) if one else '–'}</td>"
        body += "</tr>\n"
    what = "Latency" if w.world.time else "Generation"
    caption = f"{what} in {w.unit} with {w.framework(slow)}{w.at_batch(slow, ', batch size {}')}"
    return (
        f"<html><body><table><caption>{caption}</caption>\n"
        f"<thead>{head}</thead><tbody>{body}</tbody></table></body></html>"
    )


@form
def html_rowspan(w: Words) -> str:
    group = w.one()
    groups = [group, *w.others(group, "framework")]
    need(len(groups) > 1)
    body = ""
    for side in groups:
        rows = list(w.each_model(side))
        for at, one in enumerate(rows):
            lead = f"<th rowspan={len(rows)}>{w.framework(side)}</th>" if at == 0 else ""
            body += f"<tr>{lead}<td>{w.model(one)}</td><td>{w.number(one, unit=False)}</td></tr>\n"
    what = "Latency [ms]" if w.world.time else w.rate_unit
    head = f"<tr><th>Framework</th><th>Model</th><th>{what}</th></tr>"
    return (
        f"<html><body><h2>{w.place(group)}, {w.mode(group)}</h2><table>\n"
        f"{head}\n{body}</table></body></html>"
    )
