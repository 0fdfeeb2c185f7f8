/**
 * Tables: entities in partitions, queries, indexes and entity group transactions. {@link io.stowline.table.Table} is the entry, and
 * {@code Stowline.table} makes one.
 *
 * <pre>{@code
 * // record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}
 * Table<Runner> runners = storage.table("registrations", Runner.class);
 * runners.createIfMissing();
 * try (TableWriter<Runner> writer = runners.writer()) {
 *     source.forEach(writer::insertOrReplace);
 * }
 * List<Runner> veterans = runners.query().partition("full").where(runners.property("age").atLeast(40)).list();
 * }</pre>
 *
 * <p>A record, or an immutable class, with {@code @PartitionKey} and {@code @RowKey} is the type of the entities;
 * {@link io.stowline.table.Entity} serves where the properties are known at run time only. {@link io.stowline.table.StoredEntity} is an
 * entity with the ETag of its version, to which updates and deletions can be bound.
 *
 * <p>Three ways to write differ in what they promise. A method of {@code Table} is one request with one result. A
 * {@link io.stowline.table.TableWriter} groups many operations into few transactions, and each has a separate result, its
 * {@link io.stowline.table.Submission}. A {@link io.stowline.table.Transaction} applies all of its operations or none.
 * {@link io.stowline.table.WriterSettings} bound what a writer holds and how long: beyond that a method waits, and then throws
 * {@link io.stowline.table.BufferFullException}. Failures whose results no caller took are thrown by {@code close()} as
 * {@link io.stowline.table.UncollectedFailuresException}.
 *
 * <p>A {@link io.stowline.table.Query} names its class, such as a point read or a scan, before it runs, and a
 * {@link io.stowline.table.ScanPolicy} can refuse scans. {@link io.stowline.table.IndexedTable} maintains index rows, and
 * {@link io.stowline.table.TimeSeries} puts many values into one entity, as does {@link io.stowline.table.RollingSeries} for the last ones.
 *
 * <p>A write whose response was lost is read back; if nothing proves its outcome, it fails with
 * {@link io.stowline.error.OutcomeUnknownException}. Each class with requests has a twin of the same methods behind {@code reactive()}.
 */
@NullMarked
package io.stowline.table;

import org.jspecify.annotations.NullMarked;
