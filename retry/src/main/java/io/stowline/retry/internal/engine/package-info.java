/**
 * The retry engine, which sends the attempts of one operation until one of them ends it. {@code stowline-client} uses it: {@link
 * io.stowline.retry.internal.engine.RetryEngine} runs a {@link io.stowline.retry.internal.engine.RetryCall}, and a {@link
 * io.stowline.retry.internal.engine.RetryQuota} bounds the share of retries. It calls the values of {@code io.stowline.retry}, the time-outs
 * and the rate room, and blocks no thread while it waits.
 */
@NullMarked
package io.stowline.retry.internal.engine;

import org.jspecify.annotations.NullMarked;
