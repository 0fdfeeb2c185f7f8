package io.stowline.table.internal.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.Entity;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineScannerTest {

    private static final String STAMP = ",\"Timestamp\":\"2026-11-21T03:48:35.3031181Z\"";
    private static final String[] NAMES = {"A", "B", "Ba", "a", "ä", "_1", "Timestamp", "RowKey", "StowlineWrite"};
    private static final String[] MORE_NAMES = {
        "StowlineIndex", "a b", "odata.x", "1", "A@odata.type", "東", "", "\u0080"
    };
    private static final String[] TYPES = {"Int64", "Double", "DateTime", "Guid", "Binary", "String", "Int32", "Boolean"
    };
    private static final String[] KEYS = {
        "", "a", "ä", "😀", "a'b", "a/b", "a\u007F", "\uFFFD", "a\\u0020", "a\\\"", "\\t"
    };
    private static final String[] VALUES = {
        "0",
        "-0",
        "00",
        "1",
        "-1",
        "007",
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "1e3",
        "1.5",
        "123456789012345678",
        "9223372036854775807",
        "9223372036854775808",
        "true",
        "false",
        "null",
        "True",
        "{}",
        "[]",
        "0.0",
        "-0.0",
        "0.1",
        "0.10",
        "00.1",
        "0.001",
        "0.0009",
        "9.0E-4",
        "9999999.0",
        "10000000.0",
        "1.0E7",
        "1.0E-5",
        "1.",
        ".5",
        "-",
        "1.0e7",
        "1.7976931348623157E308",
        "1.0E309",
        "4.9E-324",
        "139.69171",
        "1.1234567",
        "NaN",
        "12345678.123456",
        "0.30000000000000004",
        "1.500",
        "+1.5",
        "1.0E+7"
    };
    private static final String[] TEXTS = {
        "",
        "x",
        "ä€😀",
        "\uFFFD",
        "a\\nb",
        "a\\u00e4",
        "a\u0001",
        "NaN",
        "Infinity",
        "0",
        "-0",
        "01",
        "5",
        "-5",
        "+5",
        "1.5",
        "123456789012345678",
        "-123456789012345678",
        "9223372036854775807",
        "-9223372036854775808",
        "99999999999999999999",
        "2026-11-21T03:48:35.3031181Z",
        "2026-11-21T03:48:35Z",
        "2024-02-29T00:00:00.0000000Z",
        "2023-02-29T00:00:00.0000000Z",
        "1900-02-29T00:00:00.0000000Z",
        "2000-02-29T23:59:59.9999999Z",
        "2026-04-31T00:00:00.0000000Z",
        "2026-12-31T24:00:00.0000000Z",
        "2026-12-31T23:60:00.0000000Z",
        "2026-12-31T23:59:60.0000000Z",
        "1601-01-01T00:00:00.0000000Z",
        "1600-12-31T23:59:59.9999999Z",
        "0001-01-01T00:00:00.0000000Z",
        "9999-12-31T23:59:59.9999999Z",
        "2026-13-01T00:00:00.0000000Z",
        "2026-00-01T00:00:00.0000000Z",
        "2026-01-00T00:00:00.0000000Z",
        "2026-01-32T00:00:00.0000000Z",
        "2026-11-21 03:48:35.3031181Z",
        "2026-11-21T03:48:35.303118+Z",
        "2026-11-21T03:48:35.3031181",
        "6f9619ff-8b86-d011-b42d-00c04fc964ff",
        "6F9619FF-8B86-D011-B42D-00C04FC964FF",
        "6f9619ff-8b86-d011-b42d-00c04fc964f",
        "6f9619ff8b86d011b42d00c04fc964ff",
        "{6f9619ff-8b86-d011-b42d-00c04fc964ff}",
        "6f9619ff-8b86-d011-b42d-00c04fc964fg",
        "AA==",
        "AB==",
        "AAA=",
        "AAB=",
        "AAAA",
        "AAA",
        "AA",
        "A",
        "A===",
        "AAAAA===",
        "AA=A",
        "////",
        "-_==",
        "AAAA\\/w==",
        "true",
        "false",
        "\u007F"
    };

    private final EntityLines lines = new EntityLines();
    private final LineScanner scanner = new LineScanner();
    private final OperationEncoder encoder = new OperationEncoder("table", "https://a.table.core.windows.net/table");
    private int scanned;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A line that is not left to the decoder is decoded and encoded to the same bytes. */
    private boolean agrees(byte[] text) {
        if (!scanner.scan(text)) {
            return false;
        }
        FileEntity entity = scanner.entity(new FileRow(1, text));
        Entity decoded;
        byte[] line;
        try {
            decoded = lines.entity(text);
            line = lines.line(decoded);
        } catch (IOException | RuntimeException e) {
            throw new AssertionError("decoding refuses " + new String(text, StandardCharsets.UTF_8), e);
        }
        EncodedOperation operation = encoder.encode(EntityVerb.INSERT, decoded, new EntityObjectCodec(null), null);
        assertThat(entity.key()).isEqualTo(OrderedRows.checked(decoded));
        assertThat(new String(entity.line(), StandardCharsets.UTF_8))
                .isEqualTo(new String(line, StandardCharsets.UTF_8));
        assertThat(entity.line()).isEqualTo(line).isEqualTo(operation.content());
        assertThat(entity.markable()).isEqualTo(operation.markable());
        assertThat(entity.entity()).isEqualTo(decoded);
        assertThat(entity.entity().timestamp()).isEqualTo(decoded.timestamp());
        scanned++;
        return true;
    }

    @Property(tries = 300)
    @Label("MOVE-1: a line that is written as it stands is the one that decoding and encoding give")
    void agreesWithTheDecoder(@ForAll long seed) {
        Random random = new Random(seed);
        scanned = 0;
        for (int i = 0; i < 200; i++) {
            agrees(bytes(line(random)));
        }
        assertThat(scanned).isPositive();
    }

    private static String line(Random random) {
        StringBuilder line = new StringBuilder("{\"PartitionKey\":\"")
                .append(pick(random, KEYS, 2))
                .append('"');
        if (random.nextInt(20) > 0) {
            line.append(random.nextInt(30) == 0 ? ", " : ",")
                    .append("\"RowKey\":\"")
                    .append(pick(random, KEYS, 2))
                    .append('"');
        }
        if (random.nextInt(3) == 0) {
            line.append(random.nextInt(4) > 0 ? STAMP : ",\"Timestamp\":\"" + pick(random, TEXTS, 0) + "\"");
        }
        int count = random.nextInt(4);
        int at = 0;
        for (int i = 0; i < count; i++) {
            at = Math.min(NAMES.length - 1, at + random.nextInt(3));
            String name =
                    random.nextInt(15) == 0 ? pick(random, MORE_NAMES, 0) : NAMES[random.nextInt(20) == 0 ? 0 : at++];
            String type = random.nextInt(3) == 0 ? "" : TYPES[random.nextInt(random.nextInt(5) == 0 ? 8 : 5)];
            if (!type.isEmpty()) {
                line.append(",\"")
                        .append(name)
                        .append("@odata.type\":\"Edm.")
                        .append(type)
                        .append('"');
            }
            boolean plain = random.nextInt(4) == 0 || (type.equals("Double") && random.nextInt(5) > 0);
            line.append(",\"").append(random.nextInt(50) == 0 ? "x" : name).append("\":");
            line.append(plain ? pick(random, VALUES, 0) : '"' + pick(random, TEXTS, 0) + '"');
        }
        return line.append(random.nextInt(40) == 0 ? "} " : "}").toString();
    }

    private static String pick(Random random, String[] from, int often) {
        return from[random.nextInt(3) == 0 || often == 0 ? random.nextInt(from.length) : random.nextInt(often)];
    }

    @Property(tries = 300)
    @Label("MOVE-1: each line of an export is scanned, and with a changed byte it is no other entity")
    void scansExportsAndAgreesOnDamagedOnes(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] line = lines.line(entity(random));
        byte[] stamped = line;
        if (random.nextBoolean()) {
            stamped = new byte[line.length + EntityLines.STAMP_LENGTH];
            int keys = EntityLines.keysEnd(line);
            System.arraycopy(line, 0, stamped, 0, keys);
            EntityLines.stamp(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)), stamped, keys);
            System.arraycopy(line, keys, stamped, keys + EntityLines.STAMP_LENGTH, line.length - keys);
        }

        assertThat(agrees(stamped)).isTrue();

        for (int i = 0; i < 100; i++) {
            byte[] damaged = stamped.clone();
            int place = random.nextInt(damaged.length);
            damaged[place] = random.nextBoolean()
                    ? damaged[random.nextInt(damaged.length)]
                    : (byte) (damaged[place] ^ 1 << random.nextInt(8));
            agrees(damaged);
        }
    }

    private static Entity entity(Random random) {
        byte[] binary = new byte[random.nextInt(9)];
        random.nextBytes(binary);
        Entity.Builder entity = Entity.builder("p" + random.nextInt(3), "r" + random.nextInt())
                .set(
                        "Text",
                        List.of("", "x", "a longer text, and a longer one", "ä€😀")
                                .get(random.nextInt(4)))
                .set("Small", random.nextInt())
                .set("Large", random.nextLong() % 1_000_000_000_000_000_000L)
                .set("Real", Double.longBitsToDouble(random.nextLong() & ~(1L << 62)))
                .set("Place", Math.round(random.nextGaussian() * 1e8) / 1e5)
                .set("Time", Instant.ofEpochSecond(random.nextInt(), random.nextInt(10_000_000) * 100L))
                .set("Id", new UUID(random.nextLong(), random.nextLong()))
                .set("Bytes", binary)
                .set("Is", random.nextBoolean());
        for (String name : new ArrayList<>(entity.build().properties().keySet())) {
            if (random.nextInt(3) == 0) {
                entity.set(name, null);
            }
        }
        return entity.build();
    }

    @Property(tries = 2_000)
    void scansEachDecimal(@ForAll @DoubleRange(min = -1e8, max = 1e8) double value, @ForAll long bits) {
        double other = Double.longBitsToDouble(bits);
        List<Double> all = List.of(value, value / 1e6, Math.rint(value) / 1e3, Double.isFinite(other) ? other : 0);
        for (double each : all) {
            assertThat(agrees(lines.line(Entity.builder("p", "r").set("A", each).build())))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32_767, 32_768, 32_769})
    void leavesTextsThatAreTooLong(int length) {
        boolean fits = length <= 32_768;

        assertThat(agrees(bytes("{\"PartitionKey\":\"\",\"RowKey\":\"\",\"A\":\"" + "x".repeat(length) + "\"}")))
                .isEqualTo(fits);
        assertThat(agrees(bytes("{\"PartitionKey\":\"\",\"RowKey\":\"\",\"A\":\"" + "ä".repeat(length) + "\"}")))
                .isEqualTo(fits);
    }

    @Test
    void leavesEntitiesThatAreTooLarge() {
        StringBuilder line = new StringBuilder("{\"PartitionKey\":\"\",\"RowKey\":\"\"");
        for (int i = 0; i < 15; i++) {
            line.append(",\"A")
                    .append((char) ('a' + i))
                    .append("\":\"")
                    .append("x".repeat(32_768))
                    .append('"');
        }
        int room = (1 << 20) - 4 - 15 * (8 + 4 + 4 + 2 * 32_768) - 14;
        String fitting = line + ",\"Z\":\"" + "x".repeat(room / 2) + "\"}";

        assertThat(agrees(bytes(fitting))).isTrue();
        assertThat(scanner.entity(new FileRow(1, bytes(fitting))).markable()).isFalse();
        assertThat(agrees(bytes(line + ",\"Z\":\"" + "x".repeat(room / 2 + 1) + "\"}")))
                .isFalse();
        assertThat(agrees(bytes(line + ",\"Z\":\"" + "x".repeat(room / 2 - 70) + "\"}")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {251, 252, 253})
    void leavesEntitiesWithTooManyProperties(int count) {
        StringBuilder line = new StringBuilder("{\"PartitionKey\":\"\",\"RowKey\":\"\"");
        for (int i = 0; i < count; i++) {
            line.append(",\"A").append(1_000 + i).append("\":1");
        }

        assertThat(agrees(bytes(line + "}"))).isEqualTo(count <= 252);
    }

    @Test
    void leavesPropertiesOutOfOrder() {
        String keys = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\"";
        for (int i = 0; i < 3; i++) {
            assertThat(agrees(bytes(keys + ",\"A\":1,\"B\":2,\"C\":3}"))).isTrue();
            assertThat(agrees(bytes(keys + ",\"A\":1,\"C\":3}"))).isTrue();
            assertThat(agrees(bytes(keys + ",\"B\":2,\"A\":1}"))).isFalse();
            assertThat(agrees(bytes(keys + ",\"A\":1,\"A\":1}"))).isFalse();
            assertThat(agrees(bytes(keys + ",\"C\":1,\"B\":1}"))).isFalse();
        }
    }
}
