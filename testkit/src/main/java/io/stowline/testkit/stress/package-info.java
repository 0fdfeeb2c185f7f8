/**
 * A stress test for the load of an application: how much of it one partition takes, and several, until the service throttles.
 *
 * <pre>{@code
 * StressReport report = StressTest.builder()
 *         .preload(1_000, StressOperation.write("preload", call -> runners.insert(new Runner(call.partition(), "bib" + call.number(), "Ann", 41))))
 *         .operation(StressOperation.read("find", call -> runners.find(call.partition(), "bib" + call.preloaded())).weight(8))
 *         .operation(StressOperation.write("insert", call -> runners.insert(new Runner(call.partition(), "bib" + call.number(), "Bob", 30))).weight(2))
 *         .build()
 *         .run();
 * report.table().forEach(System.out::println);
 * report.verdict().forEach(System.out::println);
 * }</pre>
 *
 * <p>{@link io.stowline.testkit.stress.StressTest} ramps the rate on one partition in steps until the service refuses or times out, narrows
 * the limit down, and then spreads the load over more partitions. {@link io.stowline.testkit.stress.StressOperation}s are lambdas with
 * weights, blocking or asynchronous, on any client. {@link io.stowline.testkit.stress.StressReport} has the steps, the limits with their
 * errors, a table, two charts and a verdict against the targets of the service.
 *
 * <p>The client under test should not retry: a refusal that it hides looks like latency. A lambda may report refusals by
 * {@link io.stowline.testkit.stress.StressCall#throttled} instead. Nothing here knows any client library.
 */
@NullMarked
package io.stowline.testkit.stress;

import org.jspecify.annotations.NullMarked;
