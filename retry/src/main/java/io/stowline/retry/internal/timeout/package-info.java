/**
 * The deadline of an operation, the times and the client-side time-out of one attempt, and the times of renewals of a lease. {@code stowline-client} uses it. It calls the values of {@code io.stowline.retry}.
 */
@NullMarked
package io.stowline.retry.internal.timeout;

import org.jspecify.annotations.NullMarked;
