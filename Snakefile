# Includes and targets: the rules are in workflow/rules/, the work in src/benchproof/.
from benchproof.workflow import Posts, fingerprint, raw_of_study


configfile: "config/config.yaml"


posts = Posts(config["posts"])


include: "workflow/rules/derive.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/report.smk"


rule report:
    default_target: True
    input:
        expand("report/{post}/index.html", post=config["posts"]),
        expand("results/render/{post}/installed", post=config["posts"]),
        expand("results/render/{post}/index.qmd", post=config["posts"]),
        expand(
            "results/tables/{study}",
            study=sorted({post["study"] for post in config["posts"].values()}),
        ),
