package io.stowline.benchmarks.scale.model;

import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A retry policy that is compared: its delays, the bound of its retries, and the limits of its clients. */
public enum ComparedPolicy {
    FIXED("every 5 s", loop(Backoff.fixed(Duration.ofSeconds(5))), null, false, PolicyLimits.LOOP),
    FIXED_JITTER(
            "every 5 s, jitter ±20 %",
            loop(Backoff.fixed(Duration.ZERO)),
            (retry, random) -> 5 * (0.8 + 0.4 * random.nextDouble()),
            true,
            PolicyLimits.LOOP),
    EXPONENTIAL(
            "exponential",
            loop(Backoff.of(Duration.ofSeconds(2), Duration.ZERO, Duration.ofSeconds(30))),
            null,
            false,
            PolicyLimits.LOOP),
    EXPONENTIAL_JITTER("exponential, jitter ±20 %", loop(Backoff.standard()), null, true, PolicyLimits.LOOP),
    FULL_JITTER(
            "exponential, full jitter",
            loop(Backoff.fixed(Duration.ZERO)),
            (retry, random) -> Math.min(30, 2 * (Math.scalb(1.0, retry) - 1)) * random.nextDouble(),
            true,
            PolicyLimits.LOOP),
    SDK_TABLES(
            "Azure SDK, tables",
            sdk(),
            (retry, random) -> Math.min(8, 0.8 * Math.scalb(1.0, retry - 1) * (0.95 + 0.1 * random.nextDouble())),
            true,
            PolicyLimits.COUNTED),
    SDK_STORAGE(
            "Azure SDK, queues, blobs",
            sdk(),
            (retry, random) -> Math.min(120, 4 * (Math.scalb(1.0, retry - 1) - 1)),
            false,
            PolicyLimits.COUNTED),
    STOWLINE("Stowline, calls", RetrySettings.defaults(), null, true, PolicyLimits.CALL),
    STOWLINE_STILL("Stowline, calls, no jitter", RetrySettings.defaults(), null, false, PolicyLimits.CALL),
    STOWLINE_WRITER("Stowline, writer", RetrySettings.defaults(), null, true, PolicyLimits.WRITER),
    STOWLINE_RATED("Stowline, rate targets", RetrySettings.defaults(), null, true, PolicyLimits.RATED_CALL);

    private static final int SDK_RETRIES = 3;
    private static final double MIDDLE = 0.5;

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // is immutable, without the annotation
    private final RetrySettings settings;

    @SuppressWarnings("ImmutableEnumChecker") // is a lambda without state
    private final @Nullable DelayRule rule;

    private final boolean jitter;
    private final PolicyLimits limits;

    ComparedPolicy(
            String title, RetrySettings settings, @Nullable DelayRule rule, boolean jitter, PolicyLimits limits) {
        this.title = title;
        this.settings = settings;
        this.rule = rule;
        this.jitter = jitter;
        this.limits = limits;
    }

    /** The limits of a policy's operations. */
    enum PolicyLimits {
        /** Retried until the deadline, without a quota and with any number in flight. */
        LOOP,
        /** Retried as often as the settings have it, without a quota and with any number in flight. */
        COUNTED,
        /** Direct calls with gates and a quota, which refuses. */
        CALL,
        /** Direct calls that also have rate targets, of which each client takes an equal share. */
        RATED_CALL,
        /** Operations of a writer with gates and a quota, for whose tokens they wait until the deadline. */
        WRITER
    }

    /** A rule for delays that no {@link Backoff} has. */
    @FunctionalInterface
    private interface DelayRule {

        double seconds(int retry, RandomGenerator random);
    }

    private static RetrySettings loop(Backoff backoff) {
        return RetrySettings.builder().backoff(backoff).build();
    }

    /** The HTTP client of the Azure SDK waits 60 s for a response; no deadline bounds an operation. */
    private static RetrySettings sdk() {
        return RetrySettings.builder()
                .backoff(Backoff.fixed(Duration.ZERO))
                .retries(SDK_RETRIES)
                .deadline(Duration.ofDays(1))
                .attemptTimeout(Duration.ofSeconds(60))
                .reserve(Duration.ZERO)
                .build();
    }

    /** Returns its name in tables and pictures. */
    public String title() {
        return title;
    }

    RetrySettings settings() {
        return settings;
    }

    PolicyLimits limits() {
        return limits;
    }

    /** Returns the source of its jitter: without jitter it always draws the middle. */
    RandomGenerator jitter(RandomGenerator random) {
        return jitter
                ? random
                : new RandomGenerator() {
                    @Override
                    public long nextLong() {
                        return 0;
                    }

                    @Override
                    public double nextDouble() {
                        return MIDDLE;
                    }
                };
    }

    /** Returns the delay of its rule; zero where the settings' back-off has it. */
    Duration ruledDelay(int retry, RandomGenerator random) {
        return rule == null ? Duration.ZERO : Duration.ofNanos(EventClock.nanos(rule.seconds(retry, random)));
    }
}
