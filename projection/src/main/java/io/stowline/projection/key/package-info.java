/**
 * Composite keys, whose parts become text in an order that queries can use, and are read from it again.
 * {@link io.stowline.projection.key.KeyFormat} is the entry.
 *
 * <pre>{@code
 * KeyFormat bibs = KeyFormat.of().text("name").number("bib", 5).newestFirst("at");
 * String key = bibs.format("John", 1234, Instant.now());
 * long bib = bibs.parse(key).number("bib");
 * }</pre>
 *
 * <p>Keys sort as the values of their parts do, so that a range of keys is a range of values. Numbers name their digits, times count
 * upwards or downwards, and a hash spreads keys over buckets. Formats for names of blobs, containers
 * and queues keep the rules of their service.
 *
 * <p>A value that its part cannot show is refused with its name and limit. Applications and {@code stowline-client} use the package; it
 * calls no other package but the property rules.
 */
@NullMarked
package io.stowline.projection.key;

import org.jspecify.annotations.NullMarked;
