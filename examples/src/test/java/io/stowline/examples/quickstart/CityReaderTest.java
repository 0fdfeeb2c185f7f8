package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CityReaderTest {

    private static final String WHOLE =
            "{\"name\":\"a\",\"lat\":\"1\",\"lng\":\"2\",\"country\":\"CH\",\"admin1\":\"\",\"admin2\":\"\"}";

    @Test
    void readsUnicodeEscapesAndFieldsInAnyOrder() throws IOException {
        List<City> cities = new ArrayList<>();
        try (InputStream json = getClass().getResourceAsStream("some-cities.json")) {
            CityReader.read(Objects.requireNonNull(json), Long.MAX_VALUE, cities::add);
        }

        assertThat(cities)
                .containsExactly(
                        City.of("CH", "Biel/Bienne", "47.13713", "7.24608", "BE", "242"),
                        City.of("BR", "São \"João\" \\ / \t 😀", "-1", "0.5", "", ""),
                        City.of("JP", "東京😀", "35.6895", "139.69171", "a", "b"));
    }

    @Test
    void readsNoMoreThanTheLimit() throws IOException {
        assertThat(read("[" + WHOLE + "," + WHOLE + ", this is not looked at", 2))
                .hasSize(2);
    }

    @Test
    void readsAnEmptyArray() throws IOException {
        assertThat(read("[]", 5)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "lat", "lng", "country", "admin1", "admin2"})
    void namesTheCityAndTheTextThatIsMissing(String field) {
        String without = WHOLE.replace("\"" + field + "\":", "\"other\":");

        assertThatIOException()
                .isThrownBy(() -> read("[" + WHOLE + "," + without + "]", 5))
                .withMessageContaining("city 2")
                .withMessageContaining("\"" + field + "\"");
    }

    @Test
    void doesNotTakeANumberForAText() {
        assertThatIOException()
                .isThrownBy(() -> read("[" + WHOLE.replace("\"lat\":\"1\"", "\"lat\":1") + "]", 5))
                .withMessageContaining("\"lat\"");
    }

    @Test
    void namesTheCityWhosePlaceIsNoNumber() {
        assertThatIOException()
                .isThrownBy(() -> read("[" + WHOLE.replace("\"lng\":\"2\"", "\"lng\":\"east\"") + "]", 5))
                .withMessageContaining("city 1")
                .withMessageContaining("east");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "\"cities\"", "[1]", "[[]]", "[", "[" + WHOLE, "[" + WHOLE + ","})
    void refusesWhatIsNoWholeArrayOfObjects(String json) {
        assertThatIOException().isThrownBy(() -> read(json, 5));
    }

    private static List<City> read(String json, long limit) throws IOException {
        List<City> cities = new ArrayList<>();
        CityReader.read(new ByteArrayInputStream(json.getBytes(UTF_8)), limit, cities::add);
        return cities;
    }
}
