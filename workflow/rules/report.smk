# From a template, records and figures to a post: rendered aside, then put in place whole.


rule render:
    input:
        template=posts.template,
        partials=posts.partials,
        study=posts.study,
        raw=posts.raw,
        figures=posts.figures,
    output:
        qmd="results/render/{post}/index.qmd",
        numbers="results/render/{post}/numbers.json",
        script="results/render/{post}/after-body.html",
        style="results/render/{post}/benchproof.css",
        figures=directory("results/render/{post}/figures"),
    params:
        code=fingerprint("render"),
    log:
        "logs/render/{post}.log",
    conda:
        "../envs/core.yml"
    shell:
        "python scripts/render.py {input.template:q} {input.study:q} {input.figures:q} results/render/{wildcards.post} 2>&1 | tee {log:q}"


rule html:
    input:
        rules.render.output,
        qmd=rules.render.output.qmd,
    output:
        "results/render/{post}/index.html",
    params:
        code=fingerprint("to_html"),
    log:
        "logs/html/{post}.log",
    conda:
        "../envs/core.yml"
    shell:
        "python scripts/to_html.py {input.qmd:q} {output:q} 2>&1 | tee {log:q}"


rule gfm:
    input:
        rules.render.output,
        qmd=rules.render.output.qmd,
    output:
        "results/render/{post}/index.md",
    params:
        code=fingerprint("to_gfm"),
    log:
        "logs/gfm/{post}.log",
    conda:
        "../envs/core.yml"
    shell:
        "python scripts/to_gfm.py {input.qmd:q} {output:q} 2>&1 | tee {log:q}"


# `update`: what stands in a post's folder is kept until a new version is whole. When this step is
# interrupted Snakemake puts the old files back, with a new date: the stamp says that it was.
rule install:
    input:
        rules.render.output,
        rules.html.output,
        rules.gfm.output,
    output:
        update("report/{post}/index.html"),
        update("report/{post}/index.md"),
        update("report/{post}/index.qmd"),
        update("report/{post}/numbers.json"),
        update("report/{post}/after-body.html"),
        update("report/{post}/benchproof.css"),
        stamp=touch("results/render/{post}/installed"),
    params:
        code=fingerprint("install"),
    log:
        "logs/install/{post}.log",
    conda:
        "../envs/core.yml"
    shell:
        "python scripts/install.py results/render/{wildcards.post} report/{wildcards.post} 2>&1 | tee {log:q}"
