package io.stowline.projection.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFormatTest {

    private static final KeyFormat RUNNER =
            KeyFormat.separatedBy('!').text("name").number("bib", 5).newestFirst("at");
    private static final Instant START = Instant.parse("2011-11-06T14:10:00.1234567Z");

    @Test
    @DisplayName("T17: parts stand in their order, of fixed width, and are read back")
    void formatsAndParses() {
        String key = RUNNER.format("John", 1234, START);

        assertThat(key).isEqualTo("John!01234!2520817121998765432");
        KeyValues values = RUNNER.parse(key);
        assertThat(values.names()).containsExactly("name", "bib", "at").isEqualTo(RUNNER.names());
        assertThat(values.text("name")).isEqualTo("John");
        assertThat(values.number("bib")).isEqualTo(1234);
        assertThat(values.time("at")).isEqualTo(START);
        assertThat(values).isEqualTo(RUNNER.parse(key)).hasSameHashCodeAs(RUNNER.parse(key));
        assertThat(values).hasToString("{name=John, bib=1234, at=2011-11-06T14:10:00.123456700Z}");
    }

    @Test
    @DisplayName("T17: a prefix ends with the separator when parts follow")
    void makesPrefixes() {
        assertThat(RUNNER.prefix("John")).isEqualTo("John!");
        assertThat(RUNNER.prefix("John", 7)).isEqualTo("John!00007!");
        assertThat(RUNNER.prefix("John", 7, START)).isEqualTo(RUNNER.format("John", 7, START));
        assertThatIllegalArgumentException().isThrownBy(RUNNER::prefix).withMessageContaining("empty prefix");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.prefix("a", 1, START, "b"))
                .withMessageContaining("4 values")
                .withMessageContaining("name, bib, at");
    }

    @Test
    @DisplayName("A2: a hash of a chosen number of buckets stands first, and all its prefixes are known")
    void hashes() {
        KeyFormat customers = KeyFormat.hashed(100).text("customer").number("month", 6);

        String key = customers.format("alice", 202611);

        assertThat(key).isEqualTo("000!alice!202611");
        assertThat(KeyFormat.hashed(100).text("customer").format("alice")).isEqualTo("042!alice");
        assertThat(customers.parse(key).text("customer")).isEqualTo("alice");
        assertThat(customers.prefixes())
                .hasSize(100)
                .startsWith("000!", "001!")
                .endsWith("099!")
                .isSorted();
        assertThat(customers.prefixes("alice"))
                .hasSize(100)
                .startsWith("000!alice!")
                .contains("042!alice!");
        assertThatIllegalStateException()
                .isThrownBy(() -> customers.prefix("alice"))
                .withMessageContaining("100");
        assertThatIllegalStateException().isThrownBy(RUNNER::prefixes).withMessageContaining("no hash");
        assertThatIllegalStateException()
                .isThrownBy(() -> customers.withHash(5))
                .withMessageContaining("100");
    }

    @ParameterizedTest
    @CsvSource({"16, 2", "17, 6"})
    @DisplayName("A2, T5: keys that differ in a digit spread over an odd number of buckets as random ones do")
    void oddNumbersOfBuckets(int buckets, int used) {
        KeyFormat users = KeyFormat.hashed(buckets).text("user").text("day");

        assertThat(IntStream.range(0, 10)
                        .mapToObj(user -> users.format("u" + user, "2026-11-28").substring(0, 3))
                        .distinct())
                .hasSize(used);
    }

    @ParameterizedTest
    @ValueSource(strings = {"043!alice", "42!alice", "042alice", "042", "", "x42!alice"})
    @DisplayName("A2: a hash that is not that of the rest is refused")
    void checksTheHash(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.hashed(100).text("customer").parse(key))
                .withMessageContaining("hash")
                .withMessageContaining("position 0")
                .withMessageNotContaining("alice");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1001})
    void limitsTheBuckets(int buckets) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.hashed(buckets))
                .withMessageContaining(String.valueOf(buckets))
                .withMessageContaining("1000");
    }

    @Test
    @DisplayName("A2: seconds first spread a minute, and keep whole seconds only")
    void putsSecondsFirst() {
        KeyFormat format = KeyFormat.of().secondsFirst("at");

        assertThat(format.format(Instant.parse("2024-02-29T12:30:59Z"))).isEqualTo("59202402291230");
        assertThat(format.parse("59202402291230").time("at")).isEqualTo("2024-02-29T12:30:59Z");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format(START))
                .withMessageContaining("at")
                .withMessageContaining("second");
    }

    @ParameterizedTest
    @ValueSource(strings = {"59202302291230", "60202402281230", "59000002281230", "5920240228123x", "5920240228123"})
    void refusesATimeThatIsNone(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.of().secondsFirst("at").parse(key))
                .withMessageContaining("part at at position 0");
    }

    @Test
    @DisplayName("A2: random digits are drawn, or given, and read back")
    void drawsRandomDigits() {
        KeyFormat format = KeyFormat.of().random("spread", 4).uuid("id");
        UUID id = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

        String key = format.format(new java.util.Random(1), id);

        assertThat(key).matches("[0-9a-f]{4}!00112233-4455-6677-8899-aabbccddeeff");
        KeyValues values = format.parse(key);
        assertThat(values.uuid("id")).isEqualTo(id);
        assertThat(format.format(values.text("spread"), id)).isEqualTo(key);
        assertThat(format.format(new java.util.Random(2), id)).isNotEqualTo(key);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format("00FF", id))
                .withMessageContaining("spread")
                .withMessageContaining("4 hexadecimal");
    }

    @Test
    @DisplayName("T17: times are .NET's ticks, forwards and backwards, cut to 100 ns")
    void countsTicks() {
        KeyFormat oldest = KeyFormat.of().time("at");
        KeyFormat newest = KeyFormat.of().newestFirst("at");
        Instant first = Instant.parse("0001-01-01T00:00:00Z");
        Instant last = Instant.parse("9999-12-31T23:59:59.9999999Z");

        assertThat(oldest.format(first)).isEqualTo("0000000000000000000");
        assertThat(oldest.format(last)).isEqualTo("3155378975999999999");
        assertThat(oldest.format(Instant.EPOCH)).isEqualTo("0621355968000000000");
        assertThat(newest.format(first)).isEqualTo("3155378975999999999");
        assertThat(newest.format(last)).isEqualTo("0000000000000000000");
        assertThat(newest.parse(newest.format(START.plusNanos(99))).time("at")).isEqualTo(START);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> oldest.format(first.minusNanos(1)))
                .withMessageContaining("0001 to 9999");
        assertThatIllegalArgumentException().isThrownBy(() -> newest.format(last.plusNanos(100)));
        assertThatIllegalArgumentException().isThrownBy(() -> oldest.parse("3155378976000000000"));
    }

    @ParameterizedTest
    @CsvSource({"0, 00000", "7, 00007", "99999, 99999"})
    @DisplayName("T17: numbers are zero-padded")
    void padsNumbers(long number, String text) {
        KeyFormat format = KeyFormat.of().number("bib", 5);

        assertThat(format.format(number)).isEqualTo(text);
        assertThat(format.parse(text).number("bib")).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 100_000, Long.MIN_VALUE, Long.MAX_VALUE})
    @DisplayName("MAP-3: a number out of its digits is refused with value and limit")
    void refusesANumberThatDoesNotFit(long number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.of().number("bib", 5).format(number))
                .withMessageContaining("bib")
                .withMessageContaining(String.valueOf(number))
                .withMessageContaining("99999");
    }

    @ParameterizedTest
    @CsvSource({
        "John!1234!2520817121998765432, bib, 5",
        "John!012345!2520817121998765432, bib, 5",
        "John, name, 0",
        "John!01234, bib, 5",
        "John!01234!252081712199876543, at, 11",
        "John!01234!2520817121998765432!, at, 11",
        "John!0123x!2520817121998765432, bib, 5"
    })
    @DisplayName("MAP-3: what the format did not make is refused with the part and its position")
    void refusesForeignKeys(String key, String part, int position) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.parse(key))
                .withMessageContaining("part " + part + " at position " + position + " is not")
                .withMessageNotContaining("John");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a!b", "!a", "a!"})
    void refusesTheSeparatorInText(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.of().text("name").format(text))
                .withMessageContaining("name")
                .withMessageContaining("'!' at position " + text.indexOf('!'));
    }

    @Test
    void takesTheSingleCharacterOfARepeatedSeparator() {
        KeyFormat format = KeyFormat.separatedBy(':', 2).text("a").text("b");

        assertThat(format.format("x:y", "")).isEqualTo("x:y::");
        assertThat(format.parse("x:y::").text("a")).isEqualTo("x:y");
        for (String ambiguous : new String[] {"x:", ":x", "x::y", ":"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> format.format(ambiguous, "b"));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse("x:::y"))
                .withMessageContaining("part b");
    }

    @ParameterizedTest
    @ValueSource(
            chars = {'a', 'Z', '0', ' ', '/', '\\', '#', '?', '"', '.', '>', '[', '~', '\u0000', '\u007F', '\u00A7'})
    void refusesOtherSeparators(char separator) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.separatedBy(separator))
                .withMessageContaining(String.format(java.util.Locale.ROOT, "U+%04X", (int) separator));
    }

    @ParameterizedTest
    @CsvSource({"0", "4", "-1"})
    void limitsTheRepetitions(int times) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.separatedBy('!', times))
                .withMessageContaining("1 to 3");
    }

    @Test
    @DisplayName("MAP-3 T20: a key that is too long is refused with its size, the limit and the longest part")
    void limitsTheKey() {
        KeyFormat format = KeyFormat.of().text("a").escaped("b");

        assertThat(format.format("x", "y".repeat(1_022))).hasSize(1_024);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format("x", "y".repeat(1_023)))
                .withMessageContaining("1025")
                .withMessageContaining("1024")
                .withMessageContaining("part b takes 1023");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.prefix("x".repeat(1_024)))
                .withMessageContaining("1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyFormat.hashed(5).text("a").prefixes("x".repeat(1_021)))
                .withMessageContaining("1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse("x!" + "y".repeat(1_023)))
                .withMessageContaining("1025");
    }

    @Test
    @DisplayName("MAP-3: a value of another type is refused by the part's name")
    void refusesOtherTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.format("John", "1234", START))
                .withMessageContaining("bib")
                .withMessageContaining("java.lang.String")
                .withMessageContaining("Long");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.format("John", 1234))
                .withMessageContaining("2 values")
                .withMessageContaining("3: name, bib, at");
    }

    @Test
    void namesTheValuesItHas() {
        KeyValues values = RUNNER.parse(RUNNER.format("John", 1, START));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> values.text("nam"))
                .withMessageContaining("nam")
                .withMessageContaining("[name, bib, at]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> values.text("bib"))
                .withMessageContaining("Long");
    }

    @Test
    void refusesNamesThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.text("bib"))
                .withMessageContaining("bib");
        assertThatIllegalArgumentException().isThrownBy(() -> RUNNER.text("")).withMessageContaining("part 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.number("n", 19))
                .withMessageContaining("18");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RUNNER.random("n", 33))
                .withMessageContaining("32");
        assertThatIllegalStateException()
                .isThrownBy(() -> KeyFormat.of().format())
                .withMessageContaining("no parts");
        assertThatIllegalStateException().isThrownBy(() -> KeyFormat.of().parse(""));
        assertThat(RUNNER).hasToString("KeyFormat[name, bib, at separated by !]");
    }
}
