package io.stowline.transport.internal.concurrent;

import java.time.Clock;
import java.util.random.RandomGenerator;
import reactor.core.scheduler.Scheduler;

/**
 * What a pipeline takes from outside of it, so that tests can give their own.
 *
 * @param timer the clock and alarm of all waits
 * @param random draws the jitter
 * @param clock the time of day
 */
public record TimeSources(Scheduler timer, RandomGenerator random, Clock clock) {}
