package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PortLinesTest {

    private static final String BLOB = "Azurite Blob service is successfully listening at http://127.0.0.1:45621";
    private static final String QUEUE = "Azurite Queue service is successfully listening at http://127.0.0.1:38681";
    private static final String TABLE = "Azurite Table service is successfully listening at http://127.0.0.1:35945";

    @Test
    void respondsWithTheThirdService() {
        PortLines lines = new PortLines();

        assertThat(lines.accept(BLOB)).isEmpty();
        assertThat(lines.accept("Azurite Queue service is starting at http://127.0.0.1:0"))
                .isEmpty();
        assertThat(lines.accept(QUEUE)).isEmpty();
        assertThat(lines.accept(TABLE)).contains(new ServicePorts(45621, 38681, 35945));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Azurite Table service is starting at http://127.0.0.1:1",
                "Azurite Table service successfully closed",
                "Azurite File service is successfully listening at http://127.0.0.1:1",
                "Azurite Table service is successfully listening at http://127.0.0.1:",
                "Azurite Table service is successfully listening at http://127.0.0.1:999999",
                "> Azurite Table service is successfully listening at http://127.0.0.1:1",
            })
    void passesOverOtherLines(String line) {
        PortLines lines = new PortLines();
        lines.accept(BLOB);
        lines.accept(QUEUE);

        assertThat(lines.accept(line)).isEmpty();
    }

    @Test
    void doesNotCountOneServiceTwice() {
        PortLines lines = new PortLines();

        assertThat(Stream.of(BLOB, BLOB, BLOB).map(lines::accept)).allMatch(Optional::isEmpty);
    }

    @Test
    void bearsTheLineEndOfWindows() {
        PortLines lines = new PortLines();
        lines.accept(BLOB + "\r");
        lines.accept(QUEUE + "\r");

        assertThat(lines.accept(TABLE + "\r")).isPresent();
    }

    @Property(tries = 100)
    void readsAnyPortsInAnyOrder(
            @ForAll @IntRange(min = 1, max = 65_535) int blob,
            @ForAll @IntRange(min = 1, max = 65_535) int queue,
            @ForAll @IntRange(min = 1, max = 65_535) int table,
            @ForAll Random random) {
        List<String> output = new ArrayList<>(
                FakeProcess.listening(blob, queue, table).lines().toList());
        Collections.shuffle(output, random);
        PortLines lines = new PortLines();

        assertThat(output.stream().map(lines::accept).flatMap(Optional::stream))
                .containsExactly(new ServicePorts(blob, queue, table));
    }
}
