package io.stowline.records.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.records.internal.format.RecordCodec.RecordCursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Properties of all formats: they give back what was written, and of what is cut a beginning. */
final class FormatRoundTripTest {

    private static final FramedCodec<String> LINES = FramedCodec.lines(Function.identity(), Function.identity());
    private static final FramedCodec<String> BYTES = FramedCodec.delimited(
            text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));

    @Provide
    Arbitrary<FramedCodec<String>> codecs() {
        return Arbitraries.of(List.of(
                LINES,
                LINES.gzip(),
                LINES.withHeader("time,page é"),
                LINES.withHeader("h").gzip(),
                FramedCodec.json(String.class),
                FramedCodec.json(String.class).gzip(),
                BYTES,
                BYTES.gzip()));
    }

    @Provide
    Arbitrary<List<String>> records() {
        Arbitrary<String> any = Arbitraries.strings()
                .all()
                .excludeChars('\n', '\r')
                .ofMaxLength(40)
                .filter(FormatRoundTripTest::isUnicode);
        Arbitrary<String> longer = Arbitraries.integers().between(0, 3_000).map("x7"::repeat);
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(6, any),
                        net.jqwik.api.Tuple.of(1, longer),
                        net.jqwik.api.Tuple.of(
                                1, Arbitraries.of("", "\0", "\u00E9\uD83D\uDE00", "a".repeat(127), "b".repeat(128))))
                .list()
                .ofMaxSize(30);
    }

    private static boolean isUnicode(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    @Property(tries = 400)
    void roundTrip(
            @ForAll("codecs") FramedCodec<String> codec, @ForAll("records") List<String> records, @ForAll long seed)
            throws IOException {
        byte[] blob = blob(codec, records, new Random(seed));

        List<String> read = new ArrayList<>();
        try (RecordCursor<String> cursor = codec.read(pieces(blob, seed), true)) {
            while (cursor.next()) {
                read.add(cursor.record());
            }
            assertThat(cursor.cutOff()).isZero();
        }

        assertThat(read).isEqualTo(records);
    }

    @Property(tries = 60)
    void cutAnywhere(
            @ForAll("codecs") FramedCodec<String> codec, @ForAll("records") List<String> records, @ForAll long seed)
            throws IOException {
        byte[] blob = blob(codec, records, new Random(seed));
        int step = Math.max(1, blob.length / 400);

        int least = 0;
        for (int cut = 0; cut < blob.length; cut += step) {
            List<String> read = new ArrayList<>();
            try (RecordCursor<String> cursor = codec.read(new ByteArrayInputStream(blob, 0, cut), true)) {
                while (cursor.next()) {
                    read.add(cursor.record());
                }
                long unread = cursor.cutOff();
                boolean atEnd = unread == 0;

                assertThat(read).as("cut at %s", cut).isEqualTo(records.subList(0, read.size()));
                assertThat(read.size()).isGreaterThanOrEqualTo(least);
                least = read.size();
                assertThat(unread).isBetween(0L, (long) cut);
                if (atEnd) {
                    assertThat(whole(codec, Arrays.copyOf(blob, cut), read)).isTrue();
                }
            }
        }
    }

    /** Returns whether the cut bytes are a whole, shorter blob: the records in {@code read}, and no rest. */
    private static boolean whole(FramedCodec<String> codec, byte[] cut, List<String> read) throws IOException {
        try (RecordCursor<String> cursor = codec.read(new ByteArrayInputStream(cut), true)) {
            for (int i = 0; i < read.size(); i++) {
                cursor.next();
            }
            return !cursor.next() && cursor.cutOff() == 0;
        }
    }

    @Property(tries = 200)
    void resumedAnywhere(
            @ForAll("codecs") FramedCodec<String> codec, @ForAll("records") List<String> records, @ForAll long seed)
            throws IOException {
        Random random = new Random(seed);
        byte[] blob = blob(codec, records, random);
        int first = records.isEmpty() ? 0 : random.nextInt(records.size() + 1);
        long offset;
        long passed;
        try (RecordCursor<String> cursor = codec.read(pieces(blob, seed), true)) {
            for (int i = 0; i < first; i++) {
                assertThat(cursor.next()).isTrue();
            }
            offset = cursor.resumeOffset();
            passed = cursor.recordsSince();
        }

        List<String> rest = new ArrayList<>();
        InputStream later = new ByteArrayInputStream(blob, (int) offset, blob.length - (int) offset);
        try (RecordCursor<String> cursor = codec.read(later, offset == 0)) {
            for (int i = 0; i < passed; i++) {
                assertThat(cursor.next()).isTrue();
            }
            while (cursor.next()) {
                rest.add(cursor.record());
            }
        }

        assertThat(rest).isEqualTo(records.subList(first, records.size()));
    }

    /** Seals the records in parts, as appends do. */
    private static byte[] blob(FramedCodec<String> codec, List<String> records, Random random) throws IOException {
        ByteArrayOutputStream blob = new ByteArrayOutputStream();
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        boolean first = true;
        for (String record : records) {
            part.write(codec.encode(record));
            if (random.nextInt(5) == 0) {
                blob.write(codec.seal(part.toByteArray(), first));
                part.reset();
                first = false;
            }
        }
        if (first || part.size() > 0) {
            blob.write(codec.seal(part.toByteArray(), first));
        }
        return blob.toByteArray();
    }

    /** Returns a stream that gives few bytes at a time. */
    private static InputStream pieces(byte[] blob, long seed) {
        Random random = new Random(seed);
        return new ByteArrayInputStream(blob) {
            @Override
            public synchronized int read(byte[] target, int from, int max) {
                return super.read(target, from, Math.min(max, 1 + random.nextInt(300)));
            }
        };
    }
}
