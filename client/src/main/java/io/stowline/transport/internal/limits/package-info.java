/**
 * The limits of one service of an account: circuit breaker, rate limits, retry quota, and the lease of one attempt. The pipeline calls it
 * before each attempt. It calls request and account.
 */
@NullMarked
package io.stowline.transport.internal.limits;

import org.jspecify.annotations.NullMarked;
