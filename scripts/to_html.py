"""The same code as `benchproof to-html`."""

from benchproof.verbs.to_html import to_html
from benchproof.verbs.run import run

run(to_html)
