# Includes and targets: the rules are in workflow/rules/, the work in src/benchproof/.
from benchproof.workflow import Collections, Posts, fingerprint, raw_of_study


configfile: "config/config.yaml"


posts = Posts(config.get("posts"))
collections = Collections()


include: "workflow/rules/collect.smk"
include: "workflow/rules/derive.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/report.smk"


rule report:
    default_target: True
    input:
        expand("report/{post}/index.html", post=posts.names),
        expand("results/render/{post}/installed", post=posts.names),
        expand("results/render/{post}/index.qmd", post=posts.names),
        expand("results/tables/{study}", study=posts.studies),
        posts.collected,
