package io.stowline.retry;

import java.time.Duration;

/** The formula of {@link Backoff} in nanoseconds, as a function of the retry and of one draw of the jitter. */
record BackoffFormula(Duration z, Duration zmin, Duration zmax) {

    /** With 2^64 the smallest z, one nanosecond, is beyond every allowed zmax: a larger exponent changes nothing. */
    private static final int LARGEST_EXPONENT = 64;

    BackoffFormula {
        SettingBounds.atLeast("z", z, Duration.ZERO);
        SettingBounds.atLeast("zmin", zmin, Duration.ZERO);
        SettingBounds.atLeast("zmax", zmax, Duration.ZERO);
        if (zmin.compareTo(zmax) > 0) {
            throw new IllegalArgumentException("zmin must be at most zmax " + zmax + " but was " + zmin);
        }
    }

    double uncapped(int retry, double draw) {
        double growth = Math.scalb(1.0, Math.min(retry, LARGEST_EXPONENT)) - 1.0;
        return zmin.toNanos() + z.toNanos() * (0.8 + 0.4 * draw) * growth;
    }

    double cap() {
        return zmax.toNanos();
    }

    double spreadCap(double draw) {
        return cap() * (0.8 + 0.2 * draw);
    }
}
