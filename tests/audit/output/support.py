"""A small post with one wrong number, its data, and the audit of both."""

from pathlib import Path

from benchproof.audit.audit import Audit, audit
from benchproof.audit.document.read import read_document
from benchproof.audit.facts.read import read_telemetry

DATA = """\
framework,batch,latency_ms
PyTorch,32,4.15
PyTorch,256,18.29
JAX,32,3.42
JAX,256,14.07
"""
# In JAX's row the latency of batch 256 stands under batch 32.
POST = """\
# Latency by batch size

| Framework | Batch 32 | Batch 256 |
|---|---|---|
| PyTorch | 4.15 ms | 18.29 ms |
| JAX | 14.07 ms | 14.07 ms |

The machine cost 36 times as much as a phone.
"""
TRUE = POST.replace("| JAX | 14.07 ms", "| JAX | 3.42 ms")
HOSTILE = """\
# <script>alert(1)</script> \x1b[31m\u202e

| Framework | Batch 32 <img src=x onerror=alert(1)> |
|---|---|
| JAX "><svg onload=alert(1)> | 14.07 ms |

`</style><script>x</script>` takes 3.42 ms in JAX at batch 32 &lt;b&gt;.
"""


def made(folder: Path, post: str = POST, data: str = DATA) -> Audit:
    """The audit of a post against data, both files in the folder; paths are told from there."""
    (folder / "post.md").write_text(post, encoding="utf-8")
    (folder / "runs.csv").write_text(data, encoding="utf-8")
    document = read_document(folder / "post.md", "post.md")
    return audit(document, read_telemetry([str(folder / "runs.csv")], None, folder))
