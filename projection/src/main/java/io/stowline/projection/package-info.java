/**
 * The mapping of Java types to entities: annotations, converters and the rules for properties that are missing or unknown.
 * {@link io.stowline.projection.Mapping} is the entry.
 *
 * <pre>{@code
 * // record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}
 * Table<Runner> runners = storage.table("registrations", Runner.class, mapping -> mapping
 *         .convert(Currency.class, Converter.of(String.class, Currency::getCurrencyCode, Currency::getInstance))
 *         .zeroForMissing());
 * }</pre>
 *
 * <p>A record, or an immutable class with one public constructor, is mapped by its components. {@link io.stowline.projection.PartitionKey}
 * and {@link io.stowline.projection.RowKey} name the keys; {@link io.stowline.projection.ETag}, {@link io.stowline.projection.Timestamp},
 * {@link io.stowline.projection.Property}, {@link io.stowline.projection.Nested} and {@link io.stowline.projection.PropertyBag} the rest.
 *
 * <p>A {@link io.stowline.projection.Converter} stores a type that the service does not have. A mapping that would lose data is refused
 * when the type is mapped, with {@link io.stowline.projection.UnmappableTypeException}; a stored value that does not fit its component is a
 * {@link io.stowline.projection.PropertyConversionException}.
 *
 * <p>Keys of several parts are in {@code io.stowline.projection.key}, typed conditions in {@code io.stowline.projection.filter}.
 */
@NullMarked
package io.stowline.projection;

import org.jspecify.annotations.NullMarked;
