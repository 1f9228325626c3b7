#!/usr/bin/env python3
"""What numpy and scipy make of the same numbers as server/analysis: writes server/analysis/reference.gen.json, which the tests hold ours to.

Needed only to make the file again: pip install 'numpy>=2' 'scipy>=1.13', then python3 scripts/reference/analysis.py
Nothing here shares code with server/analysis, and definitions without a function in scipy are written as they are printed, not as ours are.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy import optimize, stats

OUT = Path(__file__).resolve().parents[2] / "server" / "analysis" / "reference.gen.json"
random = np.random.default_rng(20240917)


def rounded(values, digits=4):
    return [round(float(value), digits) for value in values]


def kendall():
    for n, ties in [(2, 0), (3, 0), (5, 2), (8, 3), (10, 0), (10, 4), (25, 6), (60, 9)]:
        x = random.integers(0, ties, n) if ties else rounded(random.normal(size=n))
        y = [round(float(a) * 0.6 + float(e), 0 if ties else 4) for a, e in zip(x, random.normal(size=n))]
        x = [float(value) for value in x]
        tau = stats.kendalltau(x, y, variant="b").statistic
        yield {"x": x, "y": y, "tau": None if math.isnan(tau) else float(tau)}


def mann_whitney():
    for m, n, ties in [(1, 1, 0), (3, 4, 0), (5, 5, 0), (12, 17, 0), (20, 20, 0), (8, 9, 3), (30, 25, 0), (40, 60, 8)]:
        a, b = random.normal(0.4, 1, m), random.normal(0, 1.3, n)
        digits = 0 if ties else 5
        a, b = rounded(a * max(ties, 1), digits), rounded(b * max(ties, 1), digits)
        exact = not ties and m <= 20 and n <= 20
        found = stats.mannwhitneyu(a, b, method="exact" if exact else "asymptotic")
        yield {"a": a, "b": b, "u": float(found.statistic), "p": float(found.pvalue), "method": "exact" if exact else "asymptotic"}


def holm():
    """Each p times how many are left when it is reached in ascending order; the greatest so far; one at most."""
    for n in [1, 2, 5, 12, 40]:
        p = rounded(random.uniform(size=n) ** 3, 6)
        order = np.argsort(p, kind="stable")
        steps = np.asarray(p)[order] * np.arange(n, 0, -1)
        adjusted = np.empty(n)
        adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
        yield {"p": p, "adjusted": [float(value) for value in adjusted]}


def pareto():
    """Every point against every other."""
    for n in [1, 6, 30]:
        x, y = random.integers(0, 3 + n // 2, n), random.integers(0, 3 + n // 2, n)
        beaten = [
            any((x[j] <= x[i] and y[j] > y[i]) or (x[j] < x[i] and y[j] >= y[i]) for j in range(n)) for i in range(n)
        ]
        points = [{"x": int(a), "y": int(b)} for a, b in zip(x, y)]
        yield {"points": points, "front": [not each for each in beaten]}


def jain():
    for n in [1, 2, 5, 16]:
        rates = rounded(random.lognormal(3, 1, n))
        x = np.asarray(rates)
        yield {"rates": rates, "index": float(x.sum() ** 2 / (n * np.square(x).sum()))}


def percentiles():
    for n in [1, 2, 19, 20, 101]:
        values = rounded(random.lognormal(3, 0.7, n))
        for q in [0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1]:
            yield {"values": sorted(values), "q": q, "value": float(np.percentile(values, q * 100, method="inverted_cdf"))}


def scale(low, high):
    """To and from where the bounds are infinitely far away, and the slope of the way there."""
    if math.isfinite(low) and math.isfinite(high):
        return (
            lambda x: math.log((x - low) / (high - x)),
            lambda y: low + (high - low) / (1 + math.exp(-y)),
            lambda x: (high - low) / ((x - low) * (high - x)),
        )
    if math.isfinite(low):
        return (lambda x: math.log(x - low), lambda y: low + math.exp(y), lambda x: 1 / (x - low))
    if math.isfinite(high):
        return (lambda x: -math.log(high - x), lambda y: high - math.exp(-y), lambda x: 1 / (high - x))
    return (lambda x: x, lambda y: y, lambda x: 1.0)


def around(centre, error, df, low, high):
    to, back, slope = scale(low, high)
    half = stats.t.ppf(0.975, df) * error * slope(centre)
    return {"low": back(to(centre) - half), "high": back(to(centre) + half)}


def bound(value):
    return None if math.isinf(value) else value


RANGES = [(-math.inf, math.inf), (0, math.inf), (20, math.inf), (0, 1), (-math.inf, 100), (-1, 1)]


def estimates():
    for low, high in RANGES:
        for n in [3, 5, 20]:
            middle = (low + high) / 2 if math.isfinite(low + high) else low + 30 if math.isfinite(low) else 50
            width = (high - low) / 12 if math.isfinite(low + high) else 8
            values = rounded(np.clip(random.normal(middle, width, n), low + 0.01, high - 0.01))
            mean, sd = float(np.mean(values)), float(np.std(values, ddof=1))
            yield {
                "values": values,
                "range": [bound(low), bound(high)],
                "mean": mean,
                "sd": sd,
                **around(mean, sd / math.sqrt(n), n - 1, low, high),
            }


def resampled():
    """The interval that follows from given replicates is no matter of chance."""
    for low, high in [(0, 1), (-1, 1), (-math.inf, math.inf)]:
        for n, df in [(3, 2), (5, 24)]:
            replicates = rounded(random.normal(0.4, 0.05, 50))
            error = float(np.std(replicates, ddof=1)) * math.sqrt(n / (n - 1))
            yield {
                "value": 0.41,
                "replicates": replicates,
                "n": n,
                "df": df,
                "range": [bound(low), bound(high)],
                **around(0.41, error, df, low, high),
                "p": float(2 * stats.t.sf(0.41 / error, df)),
            }


def ellipses():
    for n, share, rho in [(3, 0.95, 0.2), (12, 0.95, 0.9), (60, 0.95, -0.7), (60, 0.5, 0), (20, 0.99, 0.999)]:
        x = random.normal(40, 9, n)
        y = 3 * (rho * (x - 40) + math.sqrt(1 - rho**2) * random.normal(0, 9, n)) + 1000
        x, y = rounded(x), rounded(y)
        values, vectors = np.linalg.eigh(np.cov(x, y))
        angle = math.atan2(vectors[1, 1], vectors[0, 1])
        angle = angle - math.pi if angle > math.pi / 2 else angle + math.pi if angle <= -math.pi / 2 else angle
        minor, major = np.sqrt(values * stats.chi2.ppf(share, 2))
        yield {
            "xs": x,
            "ys": y,
            "share": share,
            "x": float(np.mean(x)),
            "y": float(np.mean(y)),
            "major": float(major),
            "minor": float(minor),
            "angle": angle,
        }


def crossovers():
    """A root of the interpolated difference, found by bracketing."""
    at = [1, 1.5, 2, 3, 5, 7, 10, 15]
    for truth in [1.2, 2, 4.5, 11.5]:
        a, b = rounded([1 / (1 + (x / truth) ** 2) for x in at], 6), rounded([1 - 1 / (1 + (x / truth) ** 2) for x in at], 6)
        gap = np.asarray(a) - np.asarray(b)
        root = optimize.brentq(lambda u: float(np.interp(u, np.log(at), gap)), 0, math.log(15), xtol=1e-14, rtol=1e-14)
        yield {"at": at, "a": a, "b": b, "crossing": math.exp(root)}


def pooled():
    """Of every packet written out one by one."""
    spreads = []
    for packets in [40, 90]:
        ms, counts = np.unique(np.round(random.lognormal(3, 0.5, packets)), return_counts=True)
        spreads.append([float(value) for pair in zip(ms, counts) for value in pair])
    every = np.concatenate([np.repeat(s[::2], np.asarray(s[1::2], int)) for s in spreads])
    for q in [0.01, 0.5, 0.95, 0.99, 1]:
        yield {"spreads": spreads, "q": q, "value": float(np.percentile(every, q * 100, method="inverted_cdf"))}
    for ms in [float(value) for value in np.unique(every)[::7]]:
        yield {"spreads": spreads, "ms": ms, "longer": float(np.mean(every > ms))}


def tails():
    for z in [0, 0.1, 0.5, 1, 1.96, 2.9, 3, 3.1, 5, 8, 20]:
        yield {"z": z, "tail": float(stats.norm.sf(z))}


def sketched():
    """Of every value of all runs; of long runs a half percent of rank either way is what a sketch may be off by."""
    for sizes in [[40, 90], [200, 13, 1], [450, 700], [1500, 30]]:
        runs = [rounded(random.lognormal(3, 0.6, size), 3) for size in sizes]
        every, slack = np.concatenate(runs), 0.0051 if max(sizes) > 200 else 0
        for q in [0.05, 0.25, 0.5, 0.75, 0.95]:
            at = [float(np.quantile(every, q + d, method="inverted_cdf")) for d in (-slack, slack)]
            yield {"runs": runs, "q": q, "least": at[0], "most": at[1]}


def joined_ellipses():
    """Of all points of all runs, and their correlation."""
    for sizes in [[5, 40], [30, 30, 7]]:
        runs = [(rounded(random.normal(50 * (i + 1), 9, n)), rounded(random.normal(900 - 200 * i, 60, n))) for i, n in enumerate(sizes)]
        x, y = (np.concatenate([run[side] for run in runs]) for side in (0, 1))
        values, _ = np.linalg.eigh(np.cov(x, y))
        minor, major = np.sqrt(values * stats.chi2.ppf(0.95, 2))
        yield {
            "runs": [{"xs": xs, "ys": ys} for xs, ys in runs],
            "x": float(np.mean(x)),
            "y": float(np.mean(y)),
            "major": float(major),
            "minor": float(minor),
            "r": float(stats.pearsonr(x, y).statistic),
        }


def rolling():
    """Jain's index of means over so many rows, one window after each step, by rows written out."""
    for flows, rows, window, step in [(2, 60, 10, 2), (4, 120, 25, 5)]:
        rates = [rounded(random.uniform(1, 20, rows), 3) for _ in range(flows)]
        means = np.asarray([[np.mean(own[i : i + window]) for own in rates] for i in range(0, rows - window + 1, step)])
        index = means.sum(axis=1) ** 2 / (flows * (means**2).sum(axis=1))
        yield {"rates": rates, "window": window, "step": step, "index": [float(value) for value in index]}


def main():
    parts = [kendall, mann_whitney, holm, pareto, jain, percentiles, estimates, resampled, ellipses, crossovers, pooled, tails]
    parts += [sketched, joined_ellipses, rolling]
    lines = []
    for part in parts:
        cases = ",\n".join("  " + json.dumps(case, allow_nan=False, separators=(",", ":")) for case in part())
        lines.append(f'"{part.__name__}": [\n{cases}\n]')
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if OUT.read_text() == text else f"{OUT} is not what this makes")
    OUT.write_text(text)


if __name__ == "__main__":
    main()
