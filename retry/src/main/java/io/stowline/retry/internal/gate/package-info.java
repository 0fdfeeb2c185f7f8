/**
 * The adaptive gate: permits for attempts in flight, for an account and for its throttled partitions. {@code stowline-client} uses it. It
 * calls the values of {@code io.stowline.retry}.
 */
@NullMarked
package io.stowline.retry.internal.gate;

import org.jspecify.annotations.NullMarked;
