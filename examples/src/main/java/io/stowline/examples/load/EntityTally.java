package io.stowline.examples.load;

import io.stowline.table.Entity;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A tally that counts entities by partition and sums a hash of each, so that two collections of entities can be compared in memory that does not grow
 * with them. The order of entities and of properties is without influence; an entity that is there twice counts twice. Used by one thread.
 */
public final class EntityTally {

    private static final long SEED = 0x243F6A8885A308D3L;
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private final PartitionTally partitions = new PartitionTally(PartitionTally.CAPACITY);
    private long total;
    private long checksum;

    /** Makes a tally of nothing. */
    public EntityTally() {}

    /**
     * Adds an entity.
     *
     * @param entity the entity, with all of its properties
     */
    public void add(Entity entity) {
        partitions.add(entity.partitionKey());
        total++;
        checksum += hash(entity);
    }

    private static long hash(Entity entity) {
        long keys = text(text(SEED, entity.partitionKey()), entity.rowKey());
        return entity.properties().entrySet().stream()
                .mapToLong(property -> text(
                        text(
                                text(keys, property.getKey()),
                                property.getValue().getClass().getSimpleName()),
                        property.getValue() instanceof byte[] bytes
                                ? HexFormat.of().formatHex(bytes)
                                : property.getValue().toString()))
                .reduce(keys, Long::sum);
    }

    private static long text(long hash, String value) {
        long mixed = mix(hash, value.length());
        for (int i = 0; i < value.length(); i++) {
            mixed = mix(mixed, value.charAt(i));
        }
        return mixed;
    }

    // One multiplication carries a difference upwards only; the shift brings it down again before the next one.
    private static long mix(long hash, long value) {
        long product = (hash ^ value) * ODD;
        return product ^ (product >>> 32);
    }

    /**
     * Returns how many entities were added.
     *
     * @return the number of entities
     */
    public long total() {
        return total;
    }

    /**
     * Returns the sum of the hashes.
     *
     * @return 16 hexadecimal digits
     */
    public String checksum() {
        return String.format(Locale.ROOT, "%016x", checksum);
    }

    /**
     * Returns the partitions in their order.
     *
     * @return the partition keys; none if there are too many to count each
     */
    public List<String> partitions() {
        return partitions.error() > 0
                ? List.of()
                : partitions.largest(PartitionTally.CAPACITY).stream()
                        .map(PartitionTally.Count::partition)
                        .sorted()
                        .toList();
    }

    /**
     * Returns the fewest transactions that can hold the entities, if each is full by their number.
     *
     * @return the number of transactions
     */
    public long fewestRequests() {
        return partitions.fewestRequests();
    }

    /**
     * Compares the entities of another tally with those of this one, which are expected.
     *
     * @param other the other tally
     * @return a line for each difference; none if the entities are the same
     */
    public List<String> differences(EntityTally other) {
        List<String> differences = new ArrayList<>();
        compare("entities", total, other.total, differences);
        TreeSet<String> keys = new TreeSet<>();
        Stream.of(partitions(), other.partitions()).forEach(keys::addAll);
        if (partitions.error() == 0 && other.partitions.error() == 0) {
            keys.forEach(key ->
                    compare("entities of " + key, partitions.rows(key), other.partitions.rows(key), differences));
        }
        if (checksum != other.checksum) {
            differences.add("checksum: " + other.checksum() + ", not " + checksum());
        }
        return differences;
    }

    private static void compare(String name, long expected, long actual, List<String> differences) {
        if (expected != actual) {
            differences.add(String.format(Locale.ROOT, "%s: %,d, not %,d", name, actual, expected));
        }
    }
}
