"""The measures that records of benchproof have, whatever file they came from."""

from benchproof.audit.facts.fact import Dimension, Measure

MEASURES = (
    Measure("latency", Dimension.TIME, "s", statistic="median"),
    Measure("mean latency", Dimension.TIME, "s", statistic="mean"),
    Measure("95th percentile of the latency", Dimension.TIME, "s", statistic="p95"),
    Measure("standard deviation of the latency", Dimension.TIME, "s", statistic="stddev"),
    Measure("shortest sample", Dimension.TIME, "s", statistic="min"),
    Measure("longest sample", Dimension.TIME, "s", statistic="max"),
    Measure("first call", Dimension.TIME, "s"),
    Measure("coefficient of variation", Dimension.PERCENT, "%"),
    Measure("throughput", Dimension.RATE, "samples/s"),
    Measure("achieved FLOP/s", Dimension.FLOPS_RATE, "FLOP/s"),
    Measure("achieved bytes/s", Dimension.BYTES_RATE, "B/s"),
    Measure("arithmetic intensity", Dimension.INTENSITY, "FLOP/byte"),
    Measure("roofline efficiency", Dimension.PERCENT, "%"),
    Measure("ridge point", Dimension.INTENSITY, "FLOP/byte"),
    Measure("peak FLOP/s", Dimension.FLOPS_RATE, "FLOP/s"),
    Measure("peak bytes/s", Dimension.BYTES_RATE, "B/s"),
    Measure("measured bytes/s", Dimension.BYTES_RATE, "B/s"),
    Measure("FLOPs per call", Dimension.FLOPS, "FLOP"),
    Measure("bytes per call", Dimension.BYTES, "B"),
    Measure("parameters", Dimension.COUNT, ""),
    Measure("parameter bytes", Dimension.BYTES, "B"),
    Measure("peak memory", Dimension.BYTES, "B"),
    Measure("samples", Dimension.COUNT, ""),
)
BY_NAME = {measure.name: measure for measure in MEASURES}
