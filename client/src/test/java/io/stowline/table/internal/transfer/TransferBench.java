package io.stowline.table.internal.transfer;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** An account in memory with tables for transfers. */
final class TransferBench implements AutoCloseable {

    final MemoryStorage memory = MemoryStorage.create();
    final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(2))
            .build();

    Table<Entity> table(String name) {
        Table<Entity> table = storage.table(name);
        table.createIfMissing();
        return table;
    }

    /** Writes rows, 100 for each request. */
    Table<Entity> filled(String name, List<Entity> entities) {
        Table<Entity> table = table(name);
        try (var writer = table.writer()) {
            entities.forEach(writer::insertOrReplace);
        }
        return table;
    }

    /** Returns all entities by their keys. */
    TreeMap<String, Entity> content(String name) {
        TreeMap<String, Entity> content = new TreeMap<>();
        storage.table(name).query().list().forEach(entity -> content.put(key(entity), entity));
        return content;
    }

    static String key(Entity entity) {
        return new EntityKey(entity.partitionKey(), entity.rowKey()).toString();
    }

    long requests(String method, String path) {
        return memory.requests().stream()
                .filter(request -> request.startsWith(method) && request.contains(path))
                .count();
    }

    /** Returns an entity of every type with odd values, and some that are absent. */
    static Entity odd(String partition, String row, Random random) {
        Entity.Builder entity = Entity.builder(partition, row);
        if (random.nextInt(4) > 0) {
            entity.set("Text", pick(random, "", " ", "ä€😀", "a\"b\\c\n\t", "x".repeat(300), "null", "5"));
        }
        entity.set("Bool", random.nextBoolean());
        if (random.nextInt(3) > 0) {
            entity.set("Small", pick(random, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, random.nextInt()));
            entity.set("Large", pick(random, 0L, 5L, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 53) + 1));
            entity.set(
                    "Real",
                    pick(
                            random,
                            Double.NaN,
                            Double.POSITIVE_INFINITY,
                            Double.NEGATIVE_INFINITY,
                            -0.0,
                            0.0,
                            5.0,
                            0.1,
                            Double.MIN_VALUE,
                            Double.MAX_VALUE,
                            random.nextGaussian()));
        }
        entity.set(
                "Time",
                pick(
                        random,
                        Instant.parse("1601-01-01T00:00:00Z"),
                        Instant.parse("9999-12-31T23:59:59.9999999Z"),
                        Instant.parse("2026-11-28T10:11:12.0000001Z"),
                        Instant.ofEpochSecond(random.nextInt())));
        entity.set("Id", new UUID(random.nextLong(), random.nextLong()));
        byte[] bytes = new byte[random.nextInt(4) * 7];
        random.nextBytes(bytes);
        return entity.set("Bytes", bytes).build();
    }

    @SafeVarargs
    private static <V> V pick(Random random, V... values) {
        return values[random.nextInt(values.length)];
    }

    @Override
    public void close() {
        storage.close();
    }
}
