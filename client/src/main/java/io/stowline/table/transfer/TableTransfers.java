package io.stowline.table.transfer;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Transfers of whole tables: to files, from files, to other tables, and their comparison.
 *
 * <p>A transfer blocks its caller, takes minutes or hours for a large table, and works with threads that end with it. An interrupt ends it
 * with {@link io.stowline.error.StorageInterruptedException}. After that, and after a failure or a kill, the same call goes on where it had
 * ended: its state lies in a folder beside the file. Errors of the disk are {@link java.io.UncheckedIOException}s, those of the service
 * {@link io.stowline.error.StorageException}s.
 *
 * <p>Nothing is a snapshot: the service has none of a live table. Thread-safe.
 */
public interface TableTransfers {

    /**
     * Exports a table with the default settings; see {@link #export(String, Path, UnaryOperator)}.
     *
     * @param table the table's name
     * @param file the file to write
     * @return the report
     */
    default TableTransferReport export(String table, Path file) {
        return export(table, file, settings -> settings);
    }

    /**
     * Exports a table to a file and a manifest beside it. The ending of the name sets the format: {@code .jsonl} or {@code .csv}, compressed
     * with {@code .gz} behind it. The file appears when it is complete; rows are in the order of their keys.
     *
     * @param table the table's name
     * @param file the file to write
     * @param settings changes the default settings
     * @return the report
     * @throws IllegalArgumentException if the ending is another one, a setting does not serve an export, or CSV has no {@code select}
     * @throws IllegalStateException if the file exists and {@code overwrite} is not set, or the state beside it is that of another export
     * @throws io.stowline.error.NotFoundException if the table does not exist
     */
    TableTransferReport export(String table, Path file, UnaryOperator<TableTransferSettings.Builder> settings);

    /**
     * Imports a file with the default settings; see {@link #importFrom(Path, String, UnaryOperator)}.
     *
     * @param file the file to read
     * @param table the name of a table that exists
     * @return the report
     */
    default TableTransferReport importFrom(Path file, String table) {
        return importFrom(file, table, settings -> settings);
    }

    /**
     * Imports a file into a table in full entity group transactions. A file in another order than that of the keys is sorted beside it
     * first. Rows that cannot be read or that the service refuses go to a file of rejected rows, and the rest goes on.
     *
     * @param file a file of an export, JSON of AzCopy 7.3 or its manifest, CSV, or the rejected rows of another import
     * @param table the name of a table that exists
     * @param settings changes the default settings
     * @return the report
     * @throws IllegalArgumentException if the file has another ending, a setting does not serve an import, or the condition has a function
     * @throws IllegalStateException if the state beside the file is that of another import
     * @throws io.stowline.error.NotFoundException if the table does not exist
     */
    TableTransferReport importFrom(Path file, String table, UnaryOperator<TableTransferSettings.Builder> settings);

    /**
     * Copies a table with the default settings; see {@link #copy(String, Table, UnaryOperator)}.
     *
     * @param table the table's name
     * @param target a table that exists, of this or another account
     * @return the report
     */
    default TableTransferReport copy(String table, Table<?> target) {
        return copy(table, target, settings -> settings);
    }

    /**
     * Copies a table into another one, through this client. A copy that was killed goes on only if {@code state} is set.
     *
     * @param table the table's name
     * @param target a table that exists, of this or another account
     * @param settings changes the default settings
     * @return the report
     * @throws IllegalArgumentException if a setting does not serve a copy
     * @throws IllegalStateException if the state is that of another copy
     * @throws io.stowline.error.NotFoundException if one of the tables does not exist
     */
    TableTransferReport copy(String table, Table<?> target, UnaryOperator<TableTransferSettings.Builder> settings);

    /**
     * Compares two sides with the default settings; see {@link #compare(EntitySource, EntitySource, UnaryOperator)}.
     *
     * @param first a table or a file
     * @param second a table or a file
     * @return the differences; close the stream
     */
    default Stream<EntityDifference> compare(EntitySource first, EntitySource second) {
        return compare(first, second, settings -> settings);
    }

    /**
     * Compares two sides entity by entity, both read once in the order of their keys. Types are compared exactly; {@code Timestamp} is not
     * compared.
     *
     * @param first a table or a file
     * @param second a table or a file
     * @param settings changes the default settings
     * @return the differences in the order of the keys, found as they are read. Close the stream if it is not read to its end: a file has a
     *     folder for sorted rows in the temporary one until then. Closing from another thread ends the reading with an
     *     {@link IllegalStateException}.
     * @throws IllegalArgumentException if a setting does not serve a comparison, or the condition has a function and one side is a file
     */
    Stream<EntityDifference> compare(
            EntitySource first, EntitySource second, UnaryOperator<TableTransferSettings.Builder> settings);

    /**
     * Divides a table into ranges of keys, for workers that read it beside each other. The service has no statistics, so that some cheap
     * queries look for keys: the ranges differ in size. They cover all keys, those that are inserted later too, and no key is in two.
     *
     * @param table the table's name
     * @param wanted the number of ranges, 1 to 10,000; up to twice as many are returned, or fewer of a table with few entities
     * @return the ranges in the order of their keys
     * @throws IllegalArgumentException if the number is out of range
     * @throws io.stowline.error.NotFoundException if the table does not exist; for one range nothing is sent
     */
    default List<TableRange> ranges(String table, int wanted) {
        return ranges(table, wanted, Optional.empty());
    }

    /**
     * Divides a part of a table into ranges of keys; see {@link #ranges(String, int)}.
     *
     * @param table the table's name
     * @param wanted the number of ranges, 1 to 10,000
     * @param partitionKeys the part, by a range of partition keys or one of them; empty for all. The ranges do not contain this
     *     condition: each worker adds it
     * @return the ranges in the order of their keys
     * @throws IllegalArgumentException if the number is out of range, or the condition is on another property or has an {@code or} or a
     *     {@code not}
     * @throws io.stowline.error.NotFoundException if the table does not exist
     */
    List<TableRange> ranges(String table, int wanted, Optional<Filter> partitionKeys);
}
