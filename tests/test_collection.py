import shlex
from pathlib import Path

import pytest
from factory import ROOT

from benchproof import collection, workflow
from benchproof.collection import (
    JobName,
    ceiling_options,
    check_collection,
    job_options,
    planned_jobs,
)
from benchproof.collectors.cli import parser
from benchproof.collectors.cli import planned_jobs as jobs_of_options
from benchproof.collectors.profiles import PROFILES
from benchproof.config import CollectConfig, StudyConfig, read_config
from benchproof.errors import ConfigError
from benchproof.model.keys import Device, Framework, Precision


def make_study(**collect: object) -> StudyConfig:
    return StudyConfig("lab", "results/raw/lab", collect=CollectConfig(**collect))  # type: ignore[arg-type]


def test_jobs_are_every_round_device_and_framework() -> None:
    config = CollectConfig(
        frameworks=(Framework.JAX, Framework.MLX), devices=(Device.CPU, Device.MPS), rounds=2
    )
    assert list(map(str, planned_jobs(config))) == [
        "cpu-jax-r1", "cpu-mlx-r1", "mps-jax-r1", "mps-mlx-r1",
        "cpu-jax-r2", "cpu-mlx-r2", "mps-jax-r2", "mps-mlx-r2",
    ]  # fmt: skip


def test_what_is_installed_and_available_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "installed_frameworks", lambda: [Framework.TENSORFLOW])
    monkeypatch.setattr(collection, "likely_devices", lambda: [Device.CPU, Device.CUDA])
    names = list(map(str, planned_jobs(CollectConfig())))
    assert names == ["cpu-tensorflow-r1", "cuda-tensorflow-r1"]
    monkeypatch.setattr(collection, "installed_frameworks", list)
    assert planned_jobs(CollectConfig()) == []


def test_the_options_of_a_job_ask_the_collectors_for_exactly_that_job() -> None:
    study = make_study(
        profile="standard", workloads=("cnn", "rnn"), batches=(2, 4), rounds=5, threads=3,
        precisions=(Precision.FP32, Precision.BF16), variants=("tf.function(jit_compile=True)",),
        budget_s=1.5, frameworks=(Framework.TENSORFLOW,),
    )  # fmt: skip
    words = shlex.split(job_options(study, JobName(Device.CUDA, Framework.TENSORFLOW, 4)))
    (job,) = jobs_of_options(parser().parse_args(["--output", "out", *words]))
    assert (job.study, job.name) == ("lab", "cuda-tensorflow-r4")
    assert (job.workloads, job.batches) == (("cnn", "rnn"), (2, 4))
    assert job.precisions == (Precision.FP32, Precision.BF16)
    assert job.variants == ("tf.function(jit_compile=True)",)
    assert (job.threads, job.protocol.budget_s) == (3, 1.5)
    assert job.protocol.samples == PROFILES["standard"].protocol.samples


def test_ceilings_do_not_depend_on_what_is_measured_beside_them() -> None:
    few = make_study(frameworks=(Framework.JAX,), batches=(1,))
    many = make_study(frameworks=(Framework.JAX,), batches=(1, 2), workloads=("cnn",), rounds=9)
    assert ceiling_options(few, Device.CPU) == ceiling_options(many, Device.CPU)
    options = parser().parse_args(
        ["--output", "out", *shlex.split(ceiling_options(many, Device.CPU))]
    )
    assert options.ceilings_only
    assert options.framework == ["jax"]


def test_an_unknown_workload_is_told() -> None:
    with pytest.raises(ConfigError, match=r"#/collect/workloads: no workload 'gpt'"):
        check_collection(make_study(workloads=("gpt",)), "config/studies/lab.yaml")
    check_collection(make_study(workloads=("cnn",)), "config/studies/lab.yaml")
    check_collection(StudyConfig("lab", "results/raw/lab"), "config/studies/lab.yaml")


@pytest.mark.parametrize("name", ["this-machine", "this-machine-standard"])
def test_the_studies_of_this_machine_are_sound(name: str) -> None:
    config = read_config(ROOT / f"config/studies/{name}.yaml", StudyConfig)
    assert config.name == name
    assert config.collect is not None
    assert config.collect.frameworks == "installed"
    check_collection(config, name)
    assert len(config.models) == len(PROFILES[config.collect.profile].workloads)


def test_every_collector_has_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wildcards:
        def __init__(self, framework: str) -> None:
            self.framework = framework

    for system in ("Linux", "Darwin"):
        monkeypatch.setattr(workflow.platform, "system", lambda system=system: system)
        for framework in Framework:
            told = workflow.Collections().environment(Wildcards(framework.value.lower()))
            assert Path(ROOT / "workflow/rules" / told).is_file(), (system, framework)


def test_a_post_without_any_telemetry_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for path, text in {
        "config/studies/lab.yaml": "name: lab\nraw: results/raw/lab\ncollect: {}\n",
        "config/studies/old.yaml": "name: old\nraw: results/raw/old\n",
        "templates/post.qmd.j2": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    for cached in (workflow._collecting, workflow._jobs, workflow._raw_files):
        cached.cache_clear()
    monkeypatch.setattr(collection, "installed_frameworks", list)
    told = {"template": "post.qmd.j2"}
    posts = workflow.Posts({"lab": {"study": "lab", **told}, "old": {"study": "old", **told}})
    assert posts.names == ["old"]
    assert posts.studies == ["old"]
    assert posts.collected == []
    for cached in (workflow._collecting, workflow._jobs, workflow._raw_files):
        cached.cache_clear()
