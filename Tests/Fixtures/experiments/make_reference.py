"""Random inputs of the experiment statistics, with the answers of SciPy, statsmodels and mpmath, as JSON on standard output.

Nothing here knows the code under test. Where SciPy itself has fewer than ten digits, mpmath works with forty.
"""
import json
import random
import sys

import mpmath as mp
import numpy as np
import scipy.integrate
import scipy.stats as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import (
    confint_proportions_2indep, proportion_confint, proportions_ztest, samplesize_proportions_2indep_onetail)

mp.mp.dps = 40
rng = random.Random(20261123)


def count(least, most):
    """A whole number, as likely small as large."""
    return int(round(10 ** rng.uniform(np.log10(least), np.log10(most))))


def share():
    return rng.choice([0.0, 1.0, rng.random(), 10 ** rng.uniform(-4, 0), rng.uniform(0.02, 0.2)])


def above(a1, b1, a2, b2):
    """P(Beta(a2, b2) > Beta(a1, b1)) as a sum of a2 terms B(a1 + i, b1 + b2) / ((b2 + i) B(1 + i, b2) B(a1, b1)), in forty digits."""
    term = mp.exp(mp.loggamma(b1 + b2) - mp.loggamma(a1 + b1 + b2) - mp.loggamma(b1) + mp.loggamma(a1 + b1))
    total = mp.mpf(0)
    for i in range(a2):
        total += term
        term *= mp.mpf(a1 + i) * (b2 + i) / (mp.mpf(a1 + b1 + b2 + i) * (i + 1))
    return total


def chance(s1, n1, s2, n2):
    """P(second > first) with even priors: exactly, by the shortest of four sums, or by quadrature where all are long."""
    a1, b1, a2, b2 = s1 + 1, n1 - s1 + 1, s2 + 1, n2 - s2 + 1
    least = min(a1, b1, a2, b2)
    if least <= 3000:
        if least == a2:
            return float(above(a1, b1, a2, b2)), "exact"
        if least == b1:
            return float(above(b2, a2, b1, a1)), "exact"
        if least == a1:
            return float(1 - above(a2, b2, a1, b1)), "exact"
        return float(1 - above(b1, a1, b2, a2)), "exact"
    mean = a2 / (a2 + b2)
    deviation = (mean * (1 - mean) / (a2 + b2 + 1)) ** 0.5
    value, _ = scipy.integrate.quad(
        lambda u: deviation * st.beta.pdf(mean + u * deviation, a2, b2) * st.beta.cdf(mean + u * deviation, a1, b1), -12, 12,
        epsabs=1e-13, epsrel=1e-13, limit=500)
    return float(value), "quadrature"


def proportions():
    for number in range(1000):
        most = 1e7 if number % 10 == 0 else 3e4
        n1, n2 = count(1, most), count(1, most)
        base = share()
        s1 = int(np.random.default_rng(number).binomial(n1, base))
        s2 = int(np.random.default_rng(number + 10**6).binomial(n2, min(1, max(0, base + rng.choice([0, 1]) * rng.gauss(0, 1) * (base * (1 - base) / n2) ** 0.5))))
        alpha = rng.choice([0.05, 0.01, 0.025, 0.05 / 3, 0.001])
        wilson = proportion_confint(s2, n2, alpha=alpha, method="wilson")
        newcombe = confint_proportions_2indep(s2, n2, s1, n1, method="newcomb", compare="diff", alpha=alpha)
        z, p = proportions_ztest([s2, s1], [n2, n1]) if 0 < s1 + s2 < n1 + n2 else (0.0, 1.0)
        value, kind = chance(s1, n1, s2, n2)
        yield dict(control=[s1, n1], treatment=[s2, n2], alpha=alpha, wilson=list(map(float, wilson)),
                   newcombe=list(map(float, newcombe)), z=float(z), p=float(p), chance=value, chanceBy=kind)


def weights():
    return rng.choice([[5000, 5000], [9000, 1000], [3334, 3333, 3333], [1, 9999], [2500, 2500, 2000, 1500, 1000, 500]])


def sample_ratios():
    for number in range(300):
        planned = weights()
        shares = np.array(planned) / 10000
        kappa, n = 100, count(10, 1e7)
        tilt = 1 + rng.choice([0, 0, 0.02, 0.1]) * np.array([rng.uniform(-1, 1) for _ in planned])
        observed = np.random.default_rng(number).multinomial(n, shares * tilt / (shares * tilt).sum())
        statistic, p = st.chisquare(observed, shares * n)
        prior = [mp.mpf(kappa) * w / 10000 for w in planned]
        log = mp.fsum(mp.loggamma(a + int(x)) - mp.loggamma(a) for a, x in zip(prior, observed))
        log += mp.loggamma(kappa) - mp.loggamma(kappa + n) - mp.fsum(int(x) * mp.log(mp.mpf(w) / 10000) for w, x in zip(planned, observed))
        yield dict(weights=planned, observed=[int(x) for x in observed], chiSquared=float(statistic), p=float(p), logE=float(log))


def students():
    for _ in range(200):
        df, alpha = rng.choice([float(count(1, 100)), 10 ** rng.uniform(0, 7)]), rng.choice([0.05, 0.01, 10 ** rng.uniform(-8, -0.1)])
        t = 10 ** rng.uniform(-3, 1.3)
        x, a = df / (mp.mpf(df) + mp.mpf(t) ** 2), mp.mpf(df) / 2
        yield dict(degreesOfFreedom=df, alpha=alpha, criticalValue=float(st.t.isf(alpha / 2, df)), normal=float(st.norm.isf(alpha / 2)),
                   t=t, p=float(mp.betainc(a, 0.5, 0, x, regularized=True)) if df < 5e4 else float(2 * st.t.sf(t, df)))


def revenues():
    for _ in range(150):
        def amounts():
            price = rng.choice([990, 4990, 9990, 1_500_000_000])
            return [rng.choice([0, 0, 0, price, price // 2, -price // 10]) for _ in range(count(2, 150))]
        one, other = amounts(), amounts()
        if np.std(one) == 0 or np.std(other) == 0:
            continue
        a, b = np.array(one) / 1000, np.array(other) / 1000
        own = st.t.interval(0.95, len(a) - 1, loc=a.mean(), scale=st.sem(a))
        test = st.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
        yield dict(treatment=one, control=other, mean=float(a.mean()), student=list(map(float, own)),
                   difference=float(a.mean() - b.mean()), welch=[float(test.low), float(test.high)])


def sizes():
    for _ in range(200):
        expected = rng.uniform(0.005, 0.6)
        detect = rng.uniform(0.002, 0.3)
        ratio, alpha = rng.choice([1, 0.5, 2, 0.111]), rng.choice([0.05, 0.025, 0.01])
        # statsmodels counts units of the sample with the higher share, and the other's for each of them.
        treatment = samplesize_proportions_2indep_onetail(detect, expected, 0.8, ratio=1 / ratio, alpha=alpha, alternative="two-sided")
        yield dict(expected=expected, detect=detect, ratio=ratio, alpha=alpha, controlUnits=float(treatment / ratio))


def families():
    for _ in range(100):
        values = [10 ** rng.uniform(-5, 0) for _ in range(rng.randint(1, 12))]
        yield dict(values=values, adjusted=[float(x) for x in multipletests(values, method="holm")[1]])


def sequences():
    """Theorem 2.2 of Waudby-Smith et al. for a difference of two shares, its p-value found by bisection over alpha, not by formula."""
    for _ in range(200):
        n, m = count(50, 1e6), count(50, 1e6)
        s, r = rng.randint(5, n), rng.randint(5, m)
        if rng.random() < 0.7:
            r = max(5, min(m, int(m * (s / n + rng.gauss(0, 2) * (s / n * (1 - s / n) / m) ** 0.5))))
        alpha, best = rng.choice([0.05, 0.025, 0.01]), 10 ** rng.uniform(2, 5)
        log = -2 * mp.log(alpha)
        rho2 = (log + mp.log(log + 1)) / best
        t = mp.mpf(n + m)
        deviation = mp.sqrt(t * (mp.mpf(s + 1) * (n - s + 1) / (mp.mpf(n + 2) ** 2 * n) + mp.mpf(r + 1) * (m - r + 1) / (mp.mpf(m + 2) ** 2 * m)))
        difference = mp.mpf(r) / m - mp.mpf(s) / n

        def reach(level):
            return deviation * mp.sqrt(2 * (t * rho2 + 1) / (t ** 2 * rho2) * mp.log(mp.sqrt(t * rho2 + 1) / level))
        low, high = mp.mpf(-3000), mp.mpf(0)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (low, middle) if reach(mp.exp(middle)) < abs(difference) else (middle, high)
        yield dict(control=[s, n], treatment=[r, m], alpha=alpha, tightestAt=best, low=float(difference - reach(alpha)),
                   high=float(difference + reach(alpha)), logP=float(high) if high < 0 else 0.0)


sections = dict(proportions=proportions, sampleRatios=sample_ratios, students=students, revenues=revenues, sizes=sizes,
                families=families, sequences=sequences)
lines = [f'"{name}": [\n' + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows()) + "\n]" for name, rows in sections.items()]
sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")
