# From raw telemetry to tables.


rule derive:
    input:
        study="config/studies/{study}.yaml",
        raw=raw_of_study,
    output:
        directory("results/tables/{study}"),
    params:
        code=fingerprint("derive"),
    log:
        "logs/derive/{study}.log",
    conda:
        "../envs/core.yml"
    shell:
        "python scripts/derive.py {input.study:q} {output:q} 2>&1 | tee {log:q}"
