package io.stowline.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.records.RecordStream.ReadBlob;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Listing and reading of many blobs by a real listing. */
@AzuriteTest
final class RecordListingTest {

    private static final Instant BEGIN = Instant.parse("2025-12-31T18:00:00Z");
    private static final RecordFormat<String> FORMAT = RecordFormat.lines().gzip();

    private Stowline storage;
    private BlobContainer container;

    @BeforeEach
    void connect(Azurite azurite) {
        storage = Stowline.connect(azurite.connectionString());
        container = storage.container("r" + UUID.randomUUID().toString().substring(0, 20));
        container.create();
    }

    @AfterEach
    void close() {
        container.drop();
        storage.close();
    }

    /** More names in one folder than a page of the service has: in memory, since the emulator takes a minute to store them. */
    @Test
    void manyBlobs() {
        MemoryStorage memory = MemoryStorage.create();
        try (Stowline client = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build()) {
            client.container("many").create();
            readManyBlobs(client.container("many"));
        }
    }

    private static void readManyBlobs(BlobContainer many) {
        int count = 5_200;
        BlobNames names = new BlobNames("logs/", 1, FORMAT.suffix());
        Flux.range(0, count)
                .flatMap(
                        i -> many.reactive()
                                .upload(
                                        sealed("r" + i),
                                        names.of(new ChunkName(BEGIN.plusSeconds(i / 100 * 60L), "1m-w" + i % 10, i))),
                        32)
                .blockLast(Duration.ofMinutes(2));
        RecordBlobs records = RecordBlobs.in(many, "logs/");
        Instant to = BEGIN.plus(Duration.ofDays(1));

        Set<String> read = new HashSet<>();
        RecordPosition middle;
        try (RecordStream<String> stream = records.read(FORMAT, BEGIN, to)) {
            Iterator<String> first = stream.iterator();
            while (read.size() < 2_000) {
                read.add(first.next());
            }
            middle = RecordPosition.parse(stream.position().toString());
        }
        try (RecordStream<String> rest = records.readAfter(FORMAT, middle)) {
            rest.forEach(record -> assertThat(read.add(record)).isTrue());
            assertThat(rest.blobs()).filteredOn(blob -> blob.records() > 0).hasSize(count - 2_000);
            assertThat(records.readAfter(FORMAT, rest.position())).isEmpty();
        }
        assertThat(read).hasSize(count);
    }

    private static byte[] sealed(String... records) {
        StringBuilder lines = new StringBuilder();
        for (String record : records) {
            lines.append(record).append('\n');
        }
        return FORMAT.codec().seal(lines.toString().getBytes(StandardCharsets.UTF_8), true);
    }

    @Test
    void whatAWriterHasWritten() {
        RecordBlobs records = RecordBlobs.in(container, "");
        try (RecordWriter<String> writer = records.writer(FORMAT)) {
            for (int i = 0; i < 3_000; i++) {
                writer.write("record " + i);
                if (i % 1_000 == 0) {
                    writer.flush();
                }
            }
        }

        try (RecordStream<String> stream =
                records.readAfter(FORMAT, RecordPosition.at(Instant.now().minus(Duration.ofHours(1))))) {
            int next = 0;
            for (String record : stream) {
                assertThat(record).isEqualTo("record " + next++);
            }
            assertThat(next).isEqualTo(3_000);
            assertThat(stream.blobs()).hasSize(4).allMatch(blob -> blob.cutOff() == 0);
        }
    }

    @Test
    void grownAppendBlobs() {
        String name = new BlobNames("a/", 16, FORMAT.suffix()).of(new ChunkName(BEGIN, "5m-w", 0));
        container.appendBlob(name).create();
        container.appendBlob(name).append(sealed("one", "two"));
        RecordBlobs records = RecordBlobs.in(container, "a/");
        RecordPosition position;
        try (RecordStream<String> stream = records.readAfter(FORMAT, RecordPosition.first())) {
            assertThat(stream.iterator().next()).isEqualTo("one");
            position = stream.position();
        }
        container.appendBlob(name).append(sealed("three"));

        try (RecordStream<String> stream = records.readAfter(FORMAT, position)) {
            assertThat(stream).containsExactly("two", "three");
            assertThat(stream.blobs()).extracting(ReadBlob::name).isEqualTo(List.of(name));
            position = stream.position();
        }
        assertThat(records.readAfter(FORMAT, position)).isEmpty();
        container.appendBlob(name).append(sealed("four"));
        assertThat(records.readAfter(FORMAT, position)).containsExactly("four");
    }
}
