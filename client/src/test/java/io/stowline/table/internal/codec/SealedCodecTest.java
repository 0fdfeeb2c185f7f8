package io.stowline.table.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaders;
import io.stowline.projection.Discriminator;
import io.stowline.projection.EntityType;
import io.stowline.projection.Mapping;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.table.UnreadableEntityException;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
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
import org.junit.jupiter.params.provider.ValueSource;

class SealedCodecTest {

    sealed interface StaffRow permits Department, Person {}

    sealed interface Person extends StaffRow permits Employee, Guest {}

    @RowPrefix("D:")
    record Department(@PartitionKey String name, @RowKey String key, String head, long budget) implements StaffRow {}

    @RowPrefix("E:")
    record Employee(
            @PartitionKey String department, @RowKey String key, String name, Optional<Integer> age, double score)
            implements Person {}

    @RowPrefix("G:")
    record Guest(@PartitionKey String department, @RowKey String key, Instant until, byte[] badge) implements Person {

        @Override
        public boolean equals(Object other) {
            return other instanceof Guest that
                    && department.equals(that.department)
                    && key.equals(that.key)
                    && until.equals(that.until)
                    && Arrays.equals(badge, that.badge);
        }

        @Override
        public int hashCode() {
            return key.hashCode();
        }
    }

    sealed interface Payment permits Card, Transfer {}

    @Discriminator(property = "kind", value = "card")
    record Card(@PartitionKey String customer, @RowKey String id, String holder, int amount) implements Payment {}

    @Discriminator(property = "kind", value = "transfer")
    record Transfer(
            @PartitionKey String customer,
            @RowKey String id,
            UUID account,
            @PropertyBag Map<String, Object> others) implements Payment {}

    private final SealedCodec<StaffRow> staff = SealedCodec.of(StaffRow.class, Mapping.standard());
    private final SealedCodec<Payment> payments = SealedCodec.of(Payment.class, Mapping.standard());

    private static StorageResponse response(String json) {
        return new StorageResponse(200, new HttpHeaders(), json.getBytes(StandardCharsets.UTF_8));
    }

    private static <T> String json(T row, EntityCodec<T> codec) {
        return new String(
                Operations.encoder().encode(EntityVerb.INSERT, row, codec, null).body(), StandardCharsets.UTF_8);
    }

    private static <T> List<T> read(List<String> rows, EntityCodec<T> codec, List<UnreadableEntityException> skipped) {
        QueryPage page = new QueryPage(response("{\"value\":[" + String.join(",", rows) + "]}"), null);
        return RowDecoder.values("t", page, codec, skipped::add);
    }

    @Provide
    Arbitrary<List<StaffRow>> staffRows() {
        Arbitrary<String> text = Arbitraries.strings().ofMaxLength(20).filter(SealedCodecTest::isWellFormed);
        Arbitrary<String> key = Arbitraries.strings().alpha().numeric().ofMaxLength(10);
        Arbitrary<StaffRow> departments = Combinators.combine(key, text, Arbitraries.longs())
                .as((k, head, budget) -> new Department("Marketing", "D:" + k, head, budget));
        Arbitrary<StaffRow> employees = Combinators.combine(
                        key, text, Arbitraries.integers().optional(), Arbitraries.doubles())
                .as((k, name, age, score) -> new Employee("Marketing", "E:" + k, name, age, score));
        Arbitrary<StaffRow> guests = Combinators.combine(
                        key,
                        Arbitraries.integers(),
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(20))
                .as((k, seconds, badge) -> new Guest("Marketing", "G:" + k, Instant.ofEpochSecond(seconds), badge));
        return Arbitraries.oneOf(departments, employees, guests).list().ofMaxSize(20);
    }

    private static boolean isWellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    @Property(tries = 300)
    @Label("MAP-2 T4: rows of a sealed interface come back as the records that were written, by their key prefixes")
    void prefixRoundTrip(@ForAll("staffRows") List<StaffRow> rows) {
        List<UnreadableEntityException> skipped = new ArrayList<>();

        List<StaffRow> back = read(rows.stream().map(row -> json(row, staff)).toList(), staff, skipped);

        assertThat(back).isEqualTo(rows);
        assertThat(skipped).isEmpty();
    }

    @Provide
    Arbitrary<List<Payment>> paymentRows() {
        Arbitrary<String> key = Arbitraries.strings().alpha().numeric().ofMaxLength(10);
        Arbitrary<Payment> cards =
                Combinators.combine(key, Arbitraries.integers()).as((k, amount) -> new Card("ann", k, "Ann", amount));
        Arbitrary<Payment> transfers = Combinators.combine(
                        key,
                        Arbitraries.longs(),
                        Arbitraries.maps(
                                        Arbitraries.of("note", "amount", "holder", "x"),
                                        Arbitraries.oneOf(
                                                Arbitraries.integers().map(i -> (Object) i),
                                                Arbitraries.strings().alpha().map(s -> (Object) s)))
                                .ofMaxSize(3))
                .as((k, account, others) -> new Transfer("ann", k, new UUID(account, 1), others));
        return Arbitraries.oneOf(cards, transfers).list().ofMaxSize(20);
    }

    @Property(tries = 300)
    @Label("MAP-2 T4: rows of a sealed interface come back by a property, which no bag takes")
    void discriminatorRoundTrip(@ForAll("paymentRows") List<Payment> rows) {
        List<UnreadableEntityException> skipped = new ArrayList<>();

        List<Payment> back = read(rows.stream().map(row -> json(row, payments)).toList(), payments, skipped);

        assertThat(back).isEqualTo(rows);
        assertThat(skipped).isEmpty();
    }

    @Test
    @DisplayName("T4: the projection is the union of the types, and all properties where one has a bag")
    void select() {
        assertThat(staff.select())
                .containsExactly("PartitionKey", "RowKey", "head", "budget", "name", "age", "score", "until", "badge");
        assertThat(payments.select()).isNull();
        assertThat(staff.metadataLevel()).isEqualTo(MetadataLevel.MINIMAL);
        assertThat(staff.mark()).isNull();
        assertThat(payments.mark()).isEqualTo("kind");
        assertThat(json(new Card("ann", "1", "Ann", 5), payments)).contains("\"kind\":\"card\"");
    }

    @Test
    @DisplayName("T4: a mark behind the other properties decides all the same, and null ones are absent")
    void lateMarks() {
        List<UnreadableEntityException> skipped = new ArrayList<>();
        assertThat(read(
                        List.of(
                                "{\"amount\":5,\"id\":1,\"holder\":\"Ann\",\"PartitionKey\":\"ann\",\"RowKey\":\"1\",\"account\":null,"
                                        + "\"kind\":\"card\"}"),
                        payments,
                        skipped))
                .containsExactly(new Card("ann", "1", "Ann", 5));
        assertThat(read(
                        List.of(
                                "{\"name\":null,\"head\":\"Ann\",\"budget\":\"5\",\"RowKey\":\"D:1\",\"PartitionKey\":\"m\"}"),
                        staff,
                        skipped))
                .containsExactly(new Department("m", "D:1", "Ann", 5));
        assertThat(skipped).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"X:1\"", "\"\"", "\"D\"", "\"AGE:030!E:1\""})
    @DisplayName("WORLD-3 T4: a row of no known type costs itself, and its error names the keys and the marks")
    void unknownPrefix(String key) {
        String row = "{\"PartitionKey\":\"m\",\"RowKey\":" + key + ",\"head\":\"Ann\"}";
        String known = json(new Department("m", "D:1", "Ann", 5), staff);
        List<UnreadableEntityException> skipped = new ArrayList<>();

        assertThat(read(List.of(row, known, row), staff, skipped)).hasSize(1);

        assertThat(skipped).hasSize(2).allSatisfy(e -> assertThat(e)
                .hasMessageContaining("of table t")
                .hasMessageContaining("property RowKey")
                .hasMessageContaining("\"D:\", \"E:\", \"G:\", the marks of StaffRow"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"kind\":\"cheque\"", ",\"kind\":null", ",\"kind\":7"})
    @DisplayName("WORLD-3 T4: a row without the property or with an unknown value of it is of no known type")
    void unknownMark(String mark) {
        List<UnreadableEntityException> skipped = new ArrayList<>();
        assertThat(read(
                        List.of("{\"PartitionKey\":\"ann\",\"RowKey\":\"1\",\"amount\":5" + mark + "}"),
                        payments,
                        skipped))
                .isEmpty();
        assertThat(skipped).singleElement().satisfies(e -> assertThat(e)
                .hasMessageContaining("property kind")
                .hasMessageContaining("\"card\", \"transfer\""));
    }

    @Test
    @DisplayName("T4: a row of another type is refused as one of these types, read and written")
    void singleTypes() {
        EntityCodec<Employee> employees = TypesOf.employees();
        EntityCodec<Card> cards = TypesOf.cards();
        List<UnreadableEntityException> skipped = new ArrayList<>();

        assertThat(read(List.of(json(new Department("m", "D:1", "Ann", 5), staff)), employees, skipped))
                .isEmpty();
        assertThat(read(List.of(json(new Transfer("ann", "1", new UUID(1, 1), Map.of()), payments)), cards, skipped))
                .isEmpty();
        assertThat(skipped).hasSize(2);
        assertThat(skipped.get(0)).hasMessageContaining("D:1").hasMessageContaining("Employee");
        assertThat(skipped.get(1)).hasMessageContaining("transfer").hasMessageContaining("Card");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> json(new Department("m", "E:1", "Ann", 5), staff))
                .withMessageContaining("\"E:1\" does not begin with \"D:\"")
                .withMessageContaining("Department");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> json(new Transfer("ann", "1", new UUID(1, 1), Map.of("kind", "card")), payments))
                .withMessageContaining("kind")
                .withMessageContaining("@Discriminator");
    }

    private static final class TypesOf {

        static EntityCodec<Employee> employees() {
            return new TypedCodec<>(EntityType.of(Employee.class));
        }

        static EntityCodec<Card> cards() {
            return new TypedCodec<>(EntityType.of(Card.class));
        }
    }

    sealed interface Unmarked permits Plain, Marked {}

    record Plain(@PartitionKey String p, @RowKey String r) implements Unmarked {}

    @RowPrefix("M:")
    record Marked(@PartitionKey String p, @RowKey String r) implements Unmarked {}

    sealed interface Overlapping permits Short, Longer {}

    @RowPrefix("A")
    record Short(@PartitionKey String p, @RowKey String r) implements Overlapping {}

    @RowPrefix("AB")
    record Longer(@PartitionKey String p, @RowKey String r) implements Overlapping {}

    sealed interface Mixed permits ByKey, ByValue {}

    @RowPrefix("K:")
    record ByKey(@PartitionKey String p, @RowKey String r) implements Mixed {}

    @Discriminator(property = "kind", value = "v")
    record ByValue(@PartitionKey String p, @RowKey String r) implements Mixed {}

    sealed interface Twice permits First, Second {}

    @Discriminator(property = "kind", value = "same")
    record First(@PartitionKey String p, @RowKey String r) implements Twice {}

    @Discriminator(property = "kind", value = "same")
    record Second(@PartitionKey String p, @RowKey String r) implements Twice {}

    sealed interface Open permits Marked2, Other {}

    @RowPrefix("M:")
    record Marked2(@PartitionKey String p, @RowKey String r) implements Open {}

    non-sealed interface Other extends Open {}

    @RowPrefix("B:")
    @Discriminator(property = "kind", value = "b")
    record Both(@PartitionKey String p, @RowKey String r) {}

    @RowPrefix("")
    record Empty(@PartitionKey String p, @RowKey String r) {}

    @Discriminator(property = "kind", value = "c")
    record Own(@PartitionKey String p, @RowKey String r, String kind) {}

    @Discriminator(property = "RowKey", value = "c")
    record Reserved(@PartitionKey String p, @RowKey String r) {}

    @Test
    @DisplayName("T4: a family whose rows could be of none or of several types is refused with the types")
    void refusedFamilies() {
        refused(Unmarked.class, "Plain has neither @RowPrefix nor @Discriminator");
        refused(Overlapping.class, "Short and Longer share the mark \"A\"");
        refused(Mixed.class, "known by different means");
        refused(Twice.class, "First and Second share the mark \"same\"");
        refused(Open.class, "Other cannot be mapped");
    }

    private static void refused(Class<?> family, String words) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> SealedCodec.of(family, Mapping.standard()))
                .withMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(classes = {Both.class, Empty.class, Own.class, Reserved.class})
    @DisplayName("T4: contradicting marks of a type are refused with the type")
    void refusedMarks(Class<?> type) {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(type))
                .withMessageContaining(type.getSimpleName())
                .withMessageMatching(Map.of(
                                Both.class, "(?s).*both @RowPrefix and @Discriminator.*",
                                Empty.class, "(?s).*@RowPrefix is empty.*",
                                Own.class, "(?s).*a component is the property kind.*",
                                Reserved.class, "(?s).*reserved.*")
                        .entrySet()
                        .stream()
                        .filter(each -> each.getKey() == type)
                        .map(Map.Entry::getValue)
                        .collect(Collectors.joining()));
    }
}
