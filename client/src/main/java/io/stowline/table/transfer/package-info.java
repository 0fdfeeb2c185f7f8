/**
 * Export, import, copy and comparison of whole tables. {@link io.stowline.table.transfer.TableTransfers} is the entry, and {@code
 * Stowline.tables} makes one.
 *
 * <pre>{@code
 * TableTransfers tables = storage.tables();
 * tables.export("registrations", Path.of("registrations.jsonl.gz"));
 * tables.importFrom(Path.of("registrations.jsonl.gz"), "restored");
 * try (Stream<EntityDifference> differences = tables.compare(
 *         EntitySource.of(storage.table("registrations")), EntitySource.of(storage.table("restored")))) {
 *     differences.forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>The service gives no snapshot of a table that other clients write: each entity is exported as it stood when its page was read. It
 * sets {@code Timestamp} itself, so that an import cannot restore it. A comparison finds what moved.
 *
 * <p>A file keeps every type exactly; {@code docs/table-files.md} has its schema. A transfer that was killed goes on with the next call of the
 * same arguments: its state lies beside the file, without a credential. It holds a few pages at a time, whatever the size of the table.
 *
 * <p>{@link io.stowline.table.transfer.TableTransferSettings} narrow a transfer to partitions, prefixes or conditions, and bound its rate.
 * {@link io.stowline.table.transfer.ImportMode} sets what becomes of entities that the target has already.
 */
@NullMarked
package io.stowline.table.transfer;

import org.jspecify.annotations.NullMarked;
