package io.stowline.queue.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.util.BinaryData;
import com.azure.core.util.serializer.JsonSerializer;
import com.azure.core.util.serializer.JsonSerializerProviders;
import com.azure.core.util.serializer.ObjectSerializer;
import com.azure.core.util.serializer.TypeReference;
import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.BodyException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Month;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class JsonCodecTest {

    enum Level {
        LOW,
        HIGH
    }

    record Line(String article, int count, BigDecimal price) {}

    record Order(
            String id,
            Level level,
            Instant at,
            OffsetDateTime due,
            LocalDate day,
            Duration patience,
            UUID key,
            List<Line> lines,
            List<List<Integer>> grid,
            Map<String, Long> counts,
            double real,
            boolean urgent,
            char mark,
            BigInteger big,
            Line extra) {}

    record Maybe(Optional<String> name) {}

    interface Shape {}

    record Circle(int radius) implements Shape {}

    static final class Loop {
        final Loop self = this;
    }

    @SuppressWarnings("ArrayRecordComponent") // compared field by field here
    record Blob(byte[] bytes) {}

    static final class Bean {
        private String name;

        String name() {
            return name;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static <T> T there(Class<T> type, String json) {
        return MessageCodec.json(type).decode(bytes(json));
    }

    private static <T> T thereAndBack(Class<T> type, T value) {
        MessageCodec<T> codec = MessageCodec.json(type);
        return codec.decode(codec.encode(value));
    }

    @Provide
    Arbitrary<Order> orders() {
        Arbitrary<Line> lines = Combinators.combine(
                        Arbitraries.strings().ofMaxLength(20),
                        Arbitraries.integers(),
                        Arbitraries.bigDecimals().ofScale(3))
                .as(Line::new);
        Arbitrary<Instant> times = Arbitraries.longs()
                .between(-62_135_596_800L, 253_402_300_799L)
                .flatMap(second -> Arbitraries.integers()
                        .between(0, 999_999_999)
                        .map(nano -> Instant.ofEpochSecond(second, nano)));
        Arbitrary<Order> simple = Combinators.combine(
                        Arbitraries.strings().ofMaxLength(50).filter(JsonCodecTest::paired),
                        Arbitraries.of(Level.class),
                        times,
                        lines.filter(line -> paired(line.article())).list().ofMaxSize(4),
                        Arbitraries.integers().list().ofMaxSize(3).list().ofMaxSize(3),
                        Arbitraries.doubles(),
                        Arbitraries.bigIntegers(),
                        Arbitraries.longs().between(-1L << 40, 1L << 40).map(Duration::ofNanos))
                .as((id, level, at, some, grid, real, big, patience) -> new Order(
                        id,
                        level,
                        at,
                        at.atOffset(ZoneOffset.UTC),
                        at.atOffset(ZoneOffset.UTC).toLocalDate(),
                        patience,
                        new UUID(at.getEpochSecond(), at.getNano()),
                        some,
                        grid,
                        Map.of("a", big.longValue()),
                        real,
                        some.isEmpty(),
                        'x',
                        big,
                        some.isEmpty() ? null : some.get(0)));
        return simple;
    }

    @Property
    @Label("a text comes back as it was or is refused, whatever its surrogates")
    void textsAreNeverChanged(@ForAll String text) {
        try {
            assertThat(thereAndBack(String.class, text)).isEqualTo(text);
        } catch (BodyException e) {
            assertThat(paired(text)).isFalse();
        }
    }

    private static boolean paired(String text) {
        return text.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    }

    @Property(tries = 300)
    @Label("records come back as they were, with times, enums, nested lists and missing values")
    void recordsRoundTrip(@ForAll("orders") Order order) {
        assertThat(thereAndBack(Order.class, order)).isEqualTo(order);
    }

    @Test
    void writesWhatTheSdkWrites() {
        Line line = new Line("é \uD83D\uDE00 <&>", -1, new BigDecimal("1E+3"));
        Instant at = Instant.parse("2026-11-21T03:48:35Z");
        Order order = new Order(
                "a",
                Level.HIGH,
                at,
                at.atOffset(ZoneOffset.UTC),
                LocalDate.of(2026, 11, 21),
                null,
                new UUID(1, 2),
                List.of(line),
                List.of(List.of(1), List.of()),
                Map.of("k", 5L),
                1.5,
                true,
                'c',
                BigInteger.TEN,
                line);
        byte[] ours = MessageCodec.json(Order.class).encode(order);

        assertThat(there(Object.class, new String(ours, StandardCharsets.UTF_8)))
                .isEqualTo(there(Object.class, BinaryData.fromObject(order).toString()));
        assertThat(BinaryData.fromBytes(ours).toObject(Order.class)).isEqualTo(order);
        assertThat(MessageCodec.json(Order.class)
                        .decode(BinaryData.fromObject(order).toBytes()))
                .isEqualTo(order);
    }

    @Test
    void mapsFieldsInWhateverVisibility() {
        assertThat(there(Bean.class, "{\"name\":\"x\",\"unknown\":{\"a\":[1]}}").name())
                .isEqualTo("x");
        assertThat(MessageCodec.json(Bean.class).encode(new Bean())).isEqualTo(bytes("{}"));
        assertThat(thereAndBack(Blob.class, new Blob(new byte[] {-1, 0, 62})).bytes())
                .containsExactly(-1, 0, 62);
        assertThat(MessageCodec.json(Blob.class).encode(new Blob(new byte[] {-1})))
                .isEqualTo(bytes("{\"bytes\":\"/w==\"}"));
    }

    @Test
    void keepsOffsetsAndZones() {
        OffsetDateTime offset = OffsetDateTime.parse("2026-11-21T03:48:35.3031181+02:00");
        ZonedDateTime zoned = ZonedDateTime.parse("2026-11-21T03:48:35+01:00[Europe/Paris]");

        assertThat(thereAndBack(OffsetDateTime.class, offset)).isEqualTo(offset);
        assertThat(thereAndBack(ZonedDateTime.class, zoned)).isEqualTo(zoned);
    }

    @Test
    @DisplayName("a value of another type, by an unchecked cast, is refused before it is written")
    @SuppressWarnings({"unchecked", "rawtypes"})
    void refusesAValueOfAnotherType() {
        for (MessageCodec codec :
                List.of(MessageCodec.json(Line.class), MessageCodec.json(Line.class, new CountingSerializer()))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new BodyFormat<Object>(codec, QueueMessageEncoding.NONE)
                            .write(new TreeMap<>(Map.of("secret", "s"))))
                    .withMessage("the bodies are of type " + Line.class.getName() + ", not java.util.TreeMap");
        }
        MessageCodec texts = MessageCodec.text();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BodyFormat<Object>(texts, QueueMessageEncoding.NONE).write(5))
                .withMessage("the codec text cannot write the body of type java.lang.Integer:"
                        + " java.lang.ClassCastException");
        assertThat(MessageCodec.json(Number.class).encode(5)).asString().isEqualTo("5");
        assertThat(MessageCodec.json(int.class).encode(5)).asString().isEqualTo("5");
    }

    @Test
    @DisplayName("a type that JSON cannot hold is refused at the first send, naming it")
    void refusesWhatCannotBeMapped() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> MessageCodec.json(Maybe.class).encode(new Maybe(Optional.of("secret"))))
                .withMessage(Maybe.class.getName() + " cannot be written as JSON:"
                        + " there is no mapping for java.util.Optional<java.lang.String> at name");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> MessageCodec.json(Shape.class).encode(new Circle(1)))
                .withMessage("what was written as JSON cannot be read back as " + Shape.class.getName()
                        + ": there is no mapping for " + Shape.class.getName());
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> MessageCodec.json(Loop.class).encode(new Loop()));
    }

    @Test
    void readsBackTheFirstValueOnly() {
        CountingSerializer counting = new CountingSerializer();
        MessageCodec<Line> codec = MessageCodec.json(Line.class, counting);
        Line line = new Line("a", 1, BigDecimal.ONE);
        codec.encode(line);
        codec.encode(line);

        assertThat(counting.reads).hasValue(1);
        assertThat(codec.decode(codec.encode(line))).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"lines\":[{\"count\":\"secret\"}]} | the value does not fit int at lines[0].count",
                "{\"counts\":{\"secret\":\"secret\"}} | the value does not fit java.lang.Long at counts[a key]",
                "{\"level\":\"secret\"} | the value does not fit io.stowline.queue.internal.body.JsonCodecTest$Level at"
                        + " level",
                "{\"at\":\"secret\"} | the value does not fit java.time.Instant at at",
                "{\"lines\":[{\"count\":secret}]} | JsonMappingException at lines[0]",
                "{\"id\":\"secret\" | JsonEOFException at line 1, column 15",
                "{\"id\":\"a\"} secret | JsonParseException at line 1, column 1",
                "\"secret\" | the value does not fit io.stowline.queue.internal.body.JsonCodecTest$Order",
                "null | it is empty or null",
            })
    @DisplayName("QUEUE-6: what cannot be read is explained by type and place, and not quoted")
    void explainsWithoutQuoting(String json, String why) {
        assertThatExceptionOfType(BodyException.class)
                .isThrownBy(() -> there(Order.class, json))
                .withMessageStartingWith("it cannot be read from JSON as " + Order.class.getName() + ": " + why)
                .satisfies(e -> {
                    StringWriter everything = new StringWriter();
                    e.printStackTrace(new PrintWriter(everything));
                    assertThat(everything.toString()).doesNotContain("secret");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "[]", "{", "5 6", "nul", "\u0000"})
    void refusesWhatIsNoSuchValue(String json) {
        assertThatExceptionOfType(BodyException.class).isThrownBy(() -> there(Line.class, json));
        assertThatExceptionOfType(BodyException.class).isThrownBy(() -> there(Integer.class, json));
    }

    @Test
    void aSerializerOfTheCallersFailsInTheSameWay() {
        ObjectSerializer failing = new CountingSerializer() {
            @Override
            public <T> T deserialize(InputStream stream, TypeReference<T> type) {
                throw new UncheckedIOException(new IOException("secret"));
            }
        };

        assertThatExceptionOfType(BodyException.class)
                .isThrownBy(() -> MessageCodec.json(Line.class, failing).decode(bytes("{}")))
                .withMessage("it cannot be read from JSON as " + Line.class.getName() + ": java.io.IOException");
        assertThatExceptionOfType(BodyException.class)
                .isThrownBy(() ->
                        MessageCodec.json(Line.class, new CountingSerializer()).decode(bytes("null")))
                .withMessageEndingWith("it is empty or null");
    }

    @Test
    @DisplayName("an envelope shows the JSON of a JsonSerializer, and the bytes of any other serializer")
    void knowsSerializersOfJson() {
        JsonSerializer json = JsonSerializerProviders.createInstance(true);
        EnvelopeFormat envelope = new EnvelopeFormat(QueueMessageEncoding.NONE, "t", 1_000, 1_000, null);

        assertThat(data(MessageCodec.json(Line.class, json), envelope))
                .contains("\"data\":{\"article\":\"a\"")
                .contains("\"datacontenttype\":\"application/json\"");
        assertThat(data(MessageCodec.json(Line.class, new CountingSerializer()), envelope))
                .contains("\"data_base64\":")
                .contains("\"datacontenttype\":\"application/octet-stream\"");
    }

    private static String data(MessageCodec<Line> codec, EnvelopeFormat envelope) {
        return envelope.pack(codec.encode(new Line("a", 1, BigDecimal.ONE)), ((JsonCodec<Line>) codec).isJson(), null)
                .envelope("orders", "t")
                .json();
    }

    /** Does nothing but count. */
    private static class CountingSerializer implements ObjectSerializer {

        private final ObjectSerializer azure = JsonSerializerProviders.createInstance(true);
        private final AtomicInteger reads = new AtomicInteger();

        @Override
        public <T> T deserialize(InputStream stream, TypeReference<T> type) {
            reads.incrementAndGet();
            return azure.deserialize(stream, type);
        }

        @Override
        public <T> Mono<T> deserializeAsync(InputStream stream, TypeReference<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void serialize(OutputStream stream, Object value) {
            azure.serialize(stream, value);
        }

        @Override
        public Mono<Void> serializeAsync(OutputStream stream, Object value) {
            throw new UnsupportedOperationException();
        }
    }

    record Opening(Month month, DayOfWeek day) {}

    @Test
    @DisplayName("a month is written by its name, and a number is the month that other mappings write so")
    void months() {
        JsonCodec<Opening> codec = JsonCodec.of(Opening.class);

        for (Month month : Month.values()) {
            assertThat(new String(codec.encode(new Opening(month, DayOfWeek.MONDAY)), StandardCharsets.UTF_8))
                    .isEqualTo("{\"month\":\"" + month + "\",\"day\":\"MONDAY\"}");
            assertThat(codec.decode(("{\"month\":" + month.getValue() + "}").getBytes(StandardCharsets.UTF_8))
                            .month())
                    .isEqualTo(month);
            assertThat(codec.decode(("{\"month\":\"" + month + "\"}").getBytes(StandardCharsets.UTF_8))
                            .month())
                    .isEqualTo(month);
        }
        assertThatExceptionOfType(BodyException.class)
                .isThrownBy(() -> codec.decode("{\"month\":0}".getBytes(StandardCharsets.UTF_8)));
    }
}
