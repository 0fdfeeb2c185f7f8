package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Table files of several gzip members, of which each byte may be damaged. */
class GzipMembersTest {

    /** The size of the buffer of the reader. */
    private static final int BUFFER = 64 << 10;

    private static Path file;

    @BeforeContainer
    static void open() throws IOException {
        file = Files.createTempDirectory("gzip-members").resolve("rows.jsonl.gz");
    }

    @AfterContainer
    static void close() throws IOException {
        Files.delete(file);
        Files.delete(file.getParent());
    }

    private static byte[] member(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    /** Returns a member of this length, by the name of a file in its header. */
    private static byte[] member(String text, int length) throws IOException {
        byte[] plain = member(text);
        byte[] named = new byte[length];
        Arrays.fill(named, (byte) 'n');
        System.arraycopy(plain, 0, named, 0, 10);
        named[3] = 8;
        int header = length - (plain.length - 10);
        named[header - 1] = 0;
        System.arraycopy(plain, 10, named, header, plain.length - 10);
        return named;
    }

    private static byte[] joined(byte[]... members) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] member : members) {
            all.writeBytes(member);
        }
        return all.toByteArray();
    }

    private static String row(int number) {
        return "{\"PartitionKey\":\"p\",\"RowKey\":\"" + number + "\",\"Number\":" + number * 31 + "}\n";
    }

    private static List<String> rows(byte[] bytes) throws IOException {
        Files.write(file, bytes);
        List<String> rows = new ArrayList<>();
        try (TableFileReader reader = TableFileReader.open(file, Map.of())) {
            for (FileRow row = reader.next(); row != null; row = reader.next()) {
                rows.add(row.shown());
            }
        }
        return rows;
    }

    private static List<String> rowsOrNone(byte[] bytes) {
        try {
            return rows(bytes);
        } catch (IOException damaged) {
            assertThat(damaged).hasMessageContaining(file.toString());
            return List.of();
        }
    }

    /** Without meaning are the time, the level, the system and a flag of a header, and the last bits of its content. */
    @Property(tries = 5)
    @Label("MOVE-3: a damage of any byte of a file of several members is an error, or changes no row")
    void eachDamagedByteIsFoundOrHarmless(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        byte[] whole = joined(member(row(1) + row(2)), member(row(3)), member(""), member(row(4) + row(5)));
        List<String> expected = rows(whole);
        assertThat(expected).hasSize(5);
        int harmless = 0;
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 + random.nextInt(255));

            List<String> found = rowsOrNone(damaged);

            assertThat(found)
                    .as("byte %d", at)
                    .satisfiesAnyOf(rows -> assertThat(rows).isEqualTo(expected), rows -> assertThat(rows)
                            .isEmpty());
            harmless += found.isEmpty() ? 0 : 1;
        }
        assertThat(harmless).isBetween(1, 4 * 8);
    }

    @Property(tries = 5)
    @Label("MOVE-3: a damage of a member that begins where a buffer ends is found")
    void aDamageBehindTheBorderOfTheBufferIsFound(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        for (int length = BUFFER - 10; length <= BUFFER + 10; length++) {
            byte[] first = member(row(1), length);
            byte[] whole = joined(first, member(row(2)));
            assertThat(rows(whole)).hasSize(2);
            byte[] damaged = whole.clone();
            damaged[length + random.nextInt(3)] ^= (byte) (1 + random.nextInt(255));

            assertThatExceptionOfType(IOException.class).as("length %d", length).isThrownBy(() -> rows(damaged));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> rows(Arrays.copyOf(whole, first.length + 1 + random.nextInt(3))));
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> rows(Arrays.copyOf(first, first.length + 1)));
        }
    }
}
