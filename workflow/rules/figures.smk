# From tables to figures.


rule figures:
    input:
        "results/tables/{study}",
    output:
        directory("results/figures/{study}"),
    params:
        code=fingerprint("figures"),
    log:
        "logs/figures/{study}.log",
    conda:
        "../envs/core.yml"
    shell:
        "python scripts/figures.py {input:q} {output:q} 2>&1 | tee {log:q}"
