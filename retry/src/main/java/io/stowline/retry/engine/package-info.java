/**
 * The retry engine, which sends the attempts of one operation until one of them ends it. {@link io.stowline.retry.engine.RetryEngine} is
 * the entry; {@code stowline-client} stands on it, and applications may use it for other services.
 *
 * <pre>{@code
 * reactor.core.scheduler.Scheduler timer = reactor.core.scheduler.Schedulers.parallel();
 * RetrySettings settings = RetrySettings.defaults();
 * Classifier<String> classifier = (value, error) -> error == null ? Verdict.success() : Verdict.retry("broken");
 * RetryResult<String> result = new RetryEngine(timer, new Random())
 *         .execute(RetryCall.of(
 *                 settings,
 *                 Deadline.in(settings.deadline(), timer),
 *                 classifier,
 *                 attempt -> Mono.fromCallable(() -> "attempt " + attempt.number())))
 *         .block();
 * }</pre>
 *
 * <p>A {@link io.stowline.retry.engine.RetryCall} is one operation: settings, deadline, classifier, and a function that starts an attempt.
 * The function has to give a new publisher for each attempt.
 *
 * <p>A {@link io.stowline.retry.engine.RetryQuota} is shared by operations of one service. Retries take tokens from it, successes put
 * tokens back, so that a failing service does not get more load by retries than by first attempts.
 *
 * <p>The engine calls the values of {@code io.stowline.retry} and the rate room. It blocks no thread while it waits.
 */
@NullMarked
package io.stowline.retry.engine;

import org.jspecify.annotations.NullMarked;
