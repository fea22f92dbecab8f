"""Every rule that a verdict can name, with what it says and an example."""

import msgspec


class Rule(msgspec.Struct, frozen=True):
    """What a rule says of a number, and an example of a text that breaks it."""

    says: str
    example: str


RULES: dict[str, Rule] = {
    "wrong-batch": Rule(
        "the value of another batch",
        "a column headed `batch 32` holds the latency of batch 256",
    ),
    "wrong-framework": Rule(
        "the value of another framework", "PyTorch's latency stands in JAX's row"
    ),
    "wrong-model": Rule("the value of another model", "two rows of a table are swapped"),
    "wrong-variant": Rule("the value of another variant", "the eager latency is called compiled"),
    "wrong-device": Rule("the value of another device", "a CPU's latency in the GPU's column"),
    "wrong-key": Rule("the value of another key", "the prompt rate stands for the generation rate"),
    "swap": Rule("two numbers have changed places", "18.29 and 29.61 under each other's heads"),
    "inverted": Rule("the ratio is upside down", "A is 1.44x faster than B, where B is"),
    "bytes-as-count": Rule(
        "the bytes of the parameters, printed as their number", "1.1M parameters, of 4 bytes each"
    ),
    "points-for-percent": Rule(
        "a change in percent, printed as percentage points",
        "12 percentage points faster, where 12 % of the time is saved",
    ),
    "percent-for-points": Rule(
        "percentage points, printed as a change in percent",
        "efficiency rises by 2 %, from 8 to 10 %",
    ),
    "factor-10": Rule("a decimal point has moved", "48.1 ms for 4.81 ms"),
    "unit": Rule("the unit is another one", "4.81 µs for 4.81 ms"),
    "last-digit": Rule("the last digits differ", "4.83 ms for 4.81 ms"),
    "stale": Rule("near, as from an older run", "4.6 ms for 4.81 ms"),
    "truncated": Rule("cut off where it should be rounded", "812.6 ms for 812.66 ms"),
    "no-match": Rule("nothing in the data near it", "7.3 ms where nothing took that long"),
    "not-measured": Rule("was never measured", "a latency at batch 512, where 256 is the largest"),
    "claim": Rule(
        "the data says otherwise", "all workloads are memory-bound, where ten of thirty are not"
    ),
    "count": Rule("another count under every selection rule", "wins 4 of 5, where it wins 3"),
    "open": Rule("the text leaves open what is meant", "4.81 ms, at a batch that nothing names"),
    "aside": Rule("of something that was not measured here", "a kernel launch costs about 12 µs"),
    "interval": Rule(
        "an interval that the samples give otherwise, by the bootstrap used here",
        "3.7 to 4.6 ms, where the samples give 3.67 to 4.62 ms",
    ),
    "weak": Rule(
        "a random number of this format would fit too easily", "2x, in a table of ratios around 2"
    ),
    "time-or-rate": Rule(
        "true of the time saved or of the rate, not of both",
        "31 % faster, where 31 % of the time is saved and the rate is 44 % higher",
    ),
    "ruling": Rule("ruled so by hand", "a price, which no telemetry holds"),
    "quoted": Rule("somebody else's number, quoted", "a column headed `published`"),
}
