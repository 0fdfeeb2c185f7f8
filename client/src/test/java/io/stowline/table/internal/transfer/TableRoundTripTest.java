package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntityDifference.Kind;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.ImportMode;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Generated tables come back from a file as they were, and each single change is found. */
class TableRoundTripTest {

    private static final String[] KEYS = {"", " ", "a", "ä", "😀", "\uE000", "a'b", "%2F", "a\"", "~", "0", "00"};

    private static TransferBench bench;
    private static Path folder;

    @BeforeContainer
    static void open() throws IOException {
        bench = new TransferBench();
        folder = Files.createTempDirectory("round-trip");
    }

    @AfterContainer
    static void close() throws IOException {
        bench.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static List<Entity> generated(Random random) {
        Map<String, Entity> entities = new TreeMap<>();
        int count = 1 + random.nextInt(25);
        for (int i = 0; i < count; i++) {
            String partition = KEYS[random.nextInt(KEYS.length)];
            String row = KEYS[random.nextInt(KEYS.length)] + KEYS[random.nextInt(KEYS.length)];
            entities.put(partition + '\n' + row, TransferBench.odd(partition, row, random));
        }
        return List.copyOf(entities.values());
    }

    @Property(tries = 1_000)
    @Label("MOVE-1: what is exported and imported is equal to the bit, and a comparison finds each change")
    void exportImportAndComparisonAgree(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        bench.memory.clear();
        List<Entity> entities = generated(random);
        bench.filled("source", entities);
        Table<Entity> target = bench.table("target");
        TableTransfers tables = bench.storage.tables();
        Path file = folder.resolve("table.jsonl" + (random.nextBoolean() ? ".gz" : ""));
        int parallelism = 1 + random.nextInt(3);
        ImportMode mode = random.nextBoolean() ? ImportMode.insertOnly() : ImportMode.replace();

        tables.export("source", file, with -> with.overwrite().parallelism(parallelism));
        var imported = tables.importFrom(file, "target", with -> with.mode(mode));

        assertThat(imported.written()).isEqualTo(entities.size());
        assertThat(bench.content("target")).isEqualTo(bench.content("source"));
        EntitySource source = EntitySource.of(bench.storage.table("source"));
        assertThat(differences(tables, source, EntitySource.of(target), parallelism))
                .isEmpty();
        assertThat(differences(tables, EntitySource.of(file), EntitySource.of(target), parallelism))
                .isEmpty();

        Entity chosen = entities.get(random.nextInt(entities.size()));
        EntityDifference expected = change(target, chosen, random);

        assertThat(differences(tables, source, EntitySource.of(target), parallelism))
                .containsExactly(expected);
        assertThat(differences(tables, EntitySource.of(file), EntitySource.of(target), parallelism))
                .containsExactly(expected);
    }

    private static List<EntityDifference> differences(
            TableTransfers tables, EntitySource first, EntitySource second, int parallelism) {
        try (Stream<EntityDifference> found = tables.compare(first, second, with -> with.parallelism(parallelism))) {
            return found.map(TableRoundTripTest::withoutEntities).toList();
        }
    }

    private static EntityDifference withoutEntities(EntityDifference found) {
        return new EntityDifference(
                found.kind(),
                found.partitionKey(),
                found.rowKey(),
                found.properties(),
                Optional.empty(),
                Optional.empty());
    }

    /** Changes one thing in the target. */
    private static EntityDifference change(Table<Entity> target, Entity entity, Random random) {
        if (random.nextInt(8) == 0) {
            target.delete(entity.partitionKey(), entity.rowKey());
            return difference(Kind.ONLY_IN_FIRST, entity.partitionKey(), entity.rowKey(), List.of());
        }
        if (random.nextInt(8) == 0) {
            target.insert(
                    Entity.builder(entity.partitionKey(), entity.rowKey() + "x").build());
            return difference(Kind.ONLY_IN_SECOND, entity.partitionKey(), entity.rowKey() + "x", List.of());
        }
        Map<String, Object> properties = new LinkedHashMap<>(entity.properties());
        List<String> names = new ArrayList<>(properties.keySet());
        String name = names.get(random.nextInt(names.size()));
        Object changed = random.nextInt(6) == 0 ? null : changed(properties.get(name), random);
        Entity.Builder builder = entity.toBuilder().set(name, changed);
        target.insertOrReplace(builder.build());
        return difference(Kind.DIFFERENT, entity.partitionKey(), entity.rowKey(), List.of(name));
    }

    private static EntityDifference difference(Kind kind, String partition, String row, List<String> names) {
        return new EntityDifference(kind, partition, row, names, Optional.empty(), Optional.empty());
    }

    /** Flips a bit, or keeps the value in another type. */
    private static Object changed(Object value, Random random) {
        if (value instanceof Integer number) {
            return random.nextBoolean() ? (Object) (long) number : (Object) (number ^ 1 << random.nextInt(32));
        }
        if (value instanceof Long number) {
            return number ^ 1L << random.nextInt(64);
        }
        if (value instanceof Double number) {
            return number == 0
                    ? -number
                    : number.isNaN()
                            ? (Object) "NaN"
                            : (Object) Math.nextUp(number == Double.POSITIVE_INFINITY ? 1 : number);
        }
        if (value instanceof Boolean flag) {
            return !flag;
        }
        if (value instanceof String text) {
            return text + " ";
        }
        if (value instanceof byte[] bytes) {
            byte[] copy = Arrays.copyOf(bytes, Math.max(1, bytes.length));
            copy[random.nextInt(copy.length)] ^= (byte) (bytes.length == 0 ? 0 : 1 << random.nextInt(8));
            return copy;
        }
        if (value instanceof Instant time) {
            return time.getEpochSecond() > 0 ? time.minusNanos(100) : time.plusNanos(100);
        }
        return value.toString();
    }
}
