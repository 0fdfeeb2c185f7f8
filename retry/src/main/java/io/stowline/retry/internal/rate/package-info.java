/**
 * Token buckets: rate limits, and the bucket behind the retry quota. The engine and {@code stowline-client} use it. It calls the values
 * of {@code io.stowline.retry}.
 */
@NullMarked
package io.stowline.retry.internal.rate;

import org.jspecify.annotations.NullMarked;
