package io.stowline.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.storage.blob.models.BlobType;
import io.stowline.error.NotFoundException;
import io.stowline.records.RecordStream.ReadBlob;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.records.internal.read.FakeContainer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Reading spans, and what blobs may be like. */
final class RecordReadTest {

    private static final Instant TEN = Instant.parse("2026-01-31T10:00:00Z");
    private static final RecordFormat<String> LINES = RecordFormat.lines();

    private final FakeContainer fake = new FakeContainer();
    private final RecordBlobs blobs = RecordBlobs.in(fake.container(), "a/");

    private String put(String session, int minute, long sequence, String... records) {
        return put(LINES, session, minute, sequence, records);
    }

    private String put(RecordFormat<String> format, String session, int minute, long sequence, String... records) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String record : records) {
            bytes.writeBytes(format.codec().encode(record));
        }
        String name = name(format, session, minute, sequence);
        fake.put(name, format.codec().seal(bytes.toByteArray(), true), BlobType.BLOCK_BLOB);
        return name;
    }

    private static String name(RecordFormat<?> format, String session, int minute, long sequence) {
        return new BlobNames("a/", 4, format.suffix())
                .of(new ChunkName(TEN.plusSeconds(60L * minute), session, sequence));
    }

    private List<String> read(int from, int to, UnaryOperator<RecordReadSettings.Builder<String>> settings) {
        try (RecordStream<String> stream =
                blobs.read(LINES, TEN.plusSeconds(60L * from), TEN.plusSeconds(60L * to), settings)) {
            return stream.stream().toList();
        }
    }

    private List<String> read(int from, int to) {
        return read(from, to, settings -> settings);
    }

    @Test
    void intervalsThatOverlapTheSpan() {
        put("5m-a", 0, 0, "a0");
        put("5m-a", 5, 1, "a5");
        put("5m-a", 10, 2, "a10");
        put("1h-b", 0, 0, "b0");
        put("1h-b", -60, 9, "b-60");

        assertThat(read(5, 10)).containsExactly("b0", "a5");
        assertThat(read(4, 6)).containsExactly("b0", "a0", "a5");
        assertThat(read(10, 10)).isEmpty();
        assertThat(read(-1, 0)).containsExactly("b-60");
        assertThat(read(-100_000_000, 100_000_000)).hasSize(5);
        assertThatIllegalArgumentException().isThrownBy(() -> read(1, 0)).withMessageContaining("a span ends behind");
    }

    @Test
    void orderOfIntervalsSessionsAndSequences() {
        put("5m-b", 0, 10, "b10");
        put("5m-b", 0, 9, "b9");
        put("5m-a", 5, 3, "a3");
        put("5m-c", 0, 100_000_000, "c2");
        put("5m-c", 0, 99_999_999, "c1");

        assertThat(read(0, 10)).containsExactly("b9", "b10", "c1", "c2", "a3");
    }

    @Test
    void foreignBlobsAreNotRead() {
        put("5m-a", 0, 0, "a");
        String name = name(LINES, "5m-a", 0, 1);
        fake.put(name, new byte[512], BlobType.PAGE_BLOB);
        fake.put(name + ".bak", new byte[3], BlobType.BLOCK_BLOB);
        fake.put("a/0b", new byte[0], BlobType.BLOCK_BLOB);
        fake.put("a/0b/2026/01/31/10/notes.txt", new byte[3], BlobType.BLOCK_BLOB);

        // Another suffix is one of the library's formats.
        assertThat(read(0, 5, settings -> settings.skipOtherFormats())).containsExactly("a");
    }

    @Test
    void otherFormatsAreErrorsUnlessSkipped() {
        put("5m-a", 0, 0, "a");
        String other = put(LINES.gzip(), "5m-a", 0, 1, "b");

        assertThatExceptionOfType(RecordReadException.class)
                .isThrownBy(() -> read(0, 5))
                .withMessageContaining(other)
                .withMessageContaining("skipOtherFormats()")
                .satisfies(e -> assertThat(e.blob()).isEqualTo(other));
        assertThat(read(0, 5, settings -> settings.skipOtherFormats())).containsExactly("a");
    }

    @Test
    void anotherHeaderIsAnError() {
        RecordFormat<String> old = LINES.withHeader("time,page");
        String blob = put(old, "5m-a", 0, 0, "1,2");
        RecordFormat<String> changed = LINES.withHeader("page,time");

        try (RecordStream<String> stream = blobs.read(changed, TEN, TEN.plusSeconds(1))) {
            assertThatExceptionOfType(RecordReadException.class)
                    .isThrownBy(stream.iterator()::hasNext)
                    .withMessageContaining(blob)
                    .withMessageContaining("'page,time'")
                    .withMessageContaining("'time,page'");
            assertThatIllegalStateException()
                    .isThrownBy(stream.iterator()::hasNext)
                    .withMessageContaining("has failed");
        }
    }

    @Test
    void emptyAndCutBlobs() throws IOException {
        fake.put(name(LINES, "5m-a", 0, 0), new byte[0], BlobType.BLOCK_BLOB);
        fake.put(name(LINES, "5m-a", 0, 1), "one\ntw".getBytes("UTF-8"), BlobType.BLOCK_BLOB);
        put("5m-a", 0, 2, "two");
        List<ReadBlob> heard = new ArrayList<>();

        try (RecordStream<String> stream =
                blobs.read(LINES, TEN, TEN.plusSeconds(1), settings -> settings.onBlob(heard::add))) {
            assertThat(stream).containsExactly("one", "two");
            assertThat(stream.blobs())
                    .isEqualTo(heard)
                    .extracting(ReadBlob::records, ReadBlob::cutOff, ReadBlob::size, ReadBlob::missing)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(0L, 0L, 0L, false),
                            org.assertj.core.groups.Tuple.tuple(1L, 2L, 6L, false),
                            org.assertj.core.groups.Tuple.tuple(1L, 0L, 4L, false));
            // A block blob that is cut off is read to its end for ever.
            assertThat(blobs.readAfter(LINES, stream.position())).isEmpty();
        }
    }

    @Test
    void appendBlobsAreReadOnFromTheirLastWholeRecord() {
        String name = name(LINES, "5m-a", 0, 0);
        fake.append(name, "one\ntw".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        RecordPosition position;
        try (RecordStream<String> stream = blobs.readAfter(LINES, RecordPosition.at(TEN))) {
            assertThat(stream).containsExactly("one");
            position = stream.position();
        }
        fake.append(name, "o\nthree\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        assertThat(blobs.readAfter(LINES, RecordPosition.parse(position.toString())))
                .containsExactly("two", "three");
    }

    @Test
    void missingBlobs() {
        put("5m-a", 0, 0, "a0");
        String gone = put("5m-a", 0, 1, "a1");
        put("5m-a", 0, 2, "a2");
        AtomicBoolean deleted = new AtomicBoolean();
        fake.beforeOpen(() -> {
            if (!deleted.getAndSet(true)) {
                fake.remove(gone);
            }
        });

        try (RecordStream<String> stream =
                blobs.read(LINES, TEN, TEN.plusSeconds(1), settings -> settings.parallelism(1))) {
            Iterator<String> records = stream.iterator();
            assertThat(records.next()).isEqualTo("a0");
            assertThatExceptionOfType(RecordReadException.class)
                    .isThrownBy(records::next)
                    .withMessageContaining(gone)
                    .withMessageContaining("skipMissing()")
                    .withCauseInstanceOf(NotFoundException.class);
            // What was listed later does not have it.
            assertThat(blobs.readAfter(LINES, stream.position())).containsExactly("a2");
        }
        put("5m-a", 0, 1, "a1");
        deleted.set(false);
        try (RecordStream<String> stream =
                blobs.read(LINES, TEN, TEN.plusSeconds(1), settings -> settings.parallelism(1)
                        .skipMissing())) {
            assertThat(stream).containsExactly("a0", "a2");
            assertThat(stream.blobs()).extracting(ReadBlob::missing).containsExactly(false, true, false);
        }
    }

    @Test
    void mergedByTime() {
        put("5m-a", 0, 0, "00", "07", "20");
        put("5m-a", 0, 1, "21", "22");
        put("5m-b", 0, 0, "05", "06", "30", "08");
        put("5m-c", 5, 0, "01", "65");

        assertThat(read(0, 10, settings -> settings.mergedBy(RecordReadTest::second)))
                .containsExactly("00", "05", "06", "07", "20", "21", "22", "30", "08", "01", "65");
    }

    @Test
    void timesOfASpanAreExact() {
        put("5m-a", -5, 0, "00", "58");
        put("5m-a", 0, 1, "-1", "10", "59", "60", "61");
        put("5m-a", 5, 2, "30", "70");
        put("5m-a", 60, 3, "31");

        assertThat(read(0, 1, settings -> settings.mergedBy(RecordReadTest::second)))
                .containsExactly("00", "58", "10", "59", "30");
        assertThat(read(0, 1, settings -> settings.mergedBy(RecordReadTest::second, Duration.ZERO)))
                .containsExactly("10", "59");
        try (RecordStream<String> stream =
                blobs.read(LINES, TEN, TEN.plusSeconds(60), settings -> settings.mergedBy(RecordReadTest::second))) {
            assertThatIllegalStateException()
                    .isThrownBy(stream::position)
                    .withMessageContaining("RecordPosition.at(from)");
        }
    }

    private static Instant second(String record) {
        return TEN.plusSeconds(Long.parseLong(record));
    }

    @Test
    void positionsDoNotCountWhatIsLookedAt() {
        put("5m-a", 0, 0, "a0", "a1");
        put("5m-a", 0, 1, "a2");

        try (RecordStream<String> stream = blobs.read(LINES, TEN, TEN.plusSeconds(1))) {
            Iterator<String> records = stream.iterator();
            List<String> expected = List.of("a0", "a1", "a2");
            for (int i = 0; i <= 3; i++) {
                assertThat(blobs.readAfter(LINES, stream.position())).containsExactlyElementsOf(expected.subList(i, 3));
                assertThat(records.hasNext()).isEqualTo(i < 3);
                assertThat(blobs.readAfter(LINES, stream.position())).containsExactlyElementsOf(expected.subList(i, 3));
                if (i < 3) {
                    assertThat(records.next()).isEqualTo(expected.get(i));
                }
            }
        }
    }

    @Test
    void lateBlobsAreReadWithinTheLateness() {
        put("5m-a", 0, 0, "a");
        put("5m-a", 120, 1, "b");
        RecordPosition position;
        RecordPosition strict;
        try (RecordStream<String> stream = blobs.read(LINES, TEN, TEN.plusSeconds(20_000))) {
            assertThat(stream).hasSize(2);
            position = stream.position();
        }
        try (RecordStream<String> stream = blobs.read(
                LINES, TEN, TEN.plusSeconds(20_000), settings -> settings.lateness(Duration.ofMinutes(30)))) {
            assertThat(stream).hasSize(2);
            strict = stream.position();
        }
        put("5m-late", 60, 0, "late");
        put("5m-early", -5, 0, "before the begin");

        assertThat(blobs.readAfter(LINES, position)).containsExactly("late");
        assertThat(blobs.readAfter(LINES, strict)).isEmpty();
        assertThat(strict.toString().length()).isLessThan(100);
    }

    @Test
    void closedStreamsEnd() {
        put("5m-a", 0, 0, "a0", "a1");
        RecordStream<String> stream = blobs.read(LINES, TEN, TEN.plusSeconds(1));
        assertThat(stream.iterator().next()).isEqualTo("a0");

        stream.close();
        stream.close();

        assertThat(stream.iterator().hasNext()).isFalse();
        assertThat(blobs.readAfter(LINES, stream.position())).containsExactly("a1");
    }

    @Test
    void nothingIsListedBeforeTheFirstRecord() {
        blobs.read(LINES, TEN, TEN.plusSeconds(1)).close();
        assertThat(fake.listed()).isZero();

        put("5m-a", 0, 0, "a0");
        assertThat(blobs.readAfter(LINES, RecordPosition.first())).containsExactly("a0");
        assertThat(fake.listed()).isEqualTo(2);
    }

    @Test
    void settingsOutOfRange() {
        for (UnaryOperator<RecordReadSettings.Builder<String>> wrong :
                Arrays.<UnaryOperator<RecordReadSettings.Builder<String>>>asList(
                        settings -> settings.parallelism(0),
                        settings -> settings.parallelism(65),
                        settings -> settings.lateness(Duration.ofDays(367)),
                        settings -> settings.lateness(Duration.ofMillis(-1)),
                        settings -> settings.mergedBy(RecordReadTest::second, Duration.ofDays(2)))) {
            assertThatIllegalArgumentException().isThrownBy(() -> read(0, 1, wrong));
        }
    }

    @Test
    void reactiveReaders() {
        put("5m-a", 0, 0, "a0", "a1", "a2");
        put("5m-b", 0, 0, "b0");
        ReactiveRecordBlobs reactive = blobs.reactive();

        assertThat(reactive.read(LINES, TEN, TEN.plusSeconds(1), settings -> settings)
                        .take(2)
                        .collectList()
                        .block(Duration.ofSeconds(30)))
                .containsExactly("a0", "a1");
        List<ReactiveRecordBlobs.Batch<String>> batches = reactive.readAfter(
                        LINES, RecordPosition.first(), 3, settings -> settings)
                .collectList()
                .block(Duration.ofSeconds(30));
        assertThat(batches)
                .extracting(ReactiveRecordBlobs.Batch::records)
                .containsExactly(List.of("a0", "a1", "a2"), List.of("b0"));
        assertThat(blobs.readAfter(LINES, batches.get(0).position())).containsExactly("b0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> reactive.readAfter(LINES, RecordPosition.first(), 0, settings -> settings));
    }
}
