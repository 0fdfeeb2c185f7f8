package io.stowline.records.internal.engine;

import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import reactor.core.scheduler.Scheduler;

/**
 * The time, the chance and the threads of a writer.
 *
 * @param clock the time of day, of which the intervals are
 * @param nanos the time that only grows
 * @param random the source of sessions and of jitter
 * @param scheduler has one worker for the delivery and the timers; disposed at the end of the writer
 * @param callbacks runs callbacks and the signals of the reactive face
 * @param disk runs the disk's work for callers that must not block
 */
public record WriterThreads(
        Clock clock,
        LongSupplier nanos,
        RandomGenerator random,
        Scheduler scheduler,
        Executor callbacks,
        Executor disk) {}
