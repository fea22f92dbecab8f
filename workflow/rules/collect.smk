# From this machine to raw telemetry. Nothing here is fingerprinted and `ancient` ignores dates:
# evidence is measured once. What is in place is never measured again; delete it to do so.


wildcard_constraints:
    device="cpu|cuda|mps",
    framework="pytorch|jax|tensorflow|mlx",
    round=r"\d+",


rule ceilings:
    input:
        ancient("config/studies/{study}.yaml"),
    output:
        "results/collect/{study}/ceilings/{device}.json",
    params:
        options=collections.ceiling_options,
    log:
        "logs/ceilings/{study}-{device}.log",
    conda:
        collections.environment
    threads: workflow.cores
    resources:
        measurement=1,
    shell:
        "python -m benchproof.collectors {params.options} --ceilings {output:q} --output results/raw/{wildcards.study} 2>&1 | tee {log:q}"


# Measured aside, so that a killed job goes on where it was, and moved into place when it is whole.
# All cores: nothing else runs beside a measurement.
rule collect:
    input:
        study=ancient("config/studies/{study}.yaml"),
        ceilings=ancient("results/collect/{study}/ceilings/{device}.json"),
    output:
        update(directory("results/raw/{study}/{device}-{framework}-r{round}")),
    params:
        options=collections.job_options,
    log:
        "logs/collect/{study}/{device}-{framework}-r{round}.log",
    conda:
        collections.environment
    threads: workflow.cores
    resources:
        measurement=1,
    shell:
        "python -m benchproof.collectors {params.options} --ceilings {input.ceilings:q} --work results/collect/{wildcards.study} --output results/raw/{wildcards.study} 2>&1 | tee {log:q}"
