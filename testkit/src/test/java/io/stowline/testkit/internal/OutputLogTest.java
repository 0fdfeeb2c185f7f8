package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class OutputLogTest {

    @Test
    void keepsLinesInOrder() {
        OutputLog log = new OutputLog(100);
        log.add("one");
        log.add("two");

        assertThat(log.text()).isEqualTo("one\ntwo\n");
    }

    @Test
    void letsGoOfTheOldestLines() {
        OutputLog log = new OutputLog(8);
        List.of("one", "two", "six").forEach(log::add);

        assertThat(log.text()).isEqualTo("two\nsix\n");
    }

    @Test
    void keepsTheNewestLineWhateverItsLength() {
        OutputLog log = new OutputLog(2);
        log.add("a");
        log.add("much too long");

        assertThat(log.text()).isEqualTo("much too long\n");
    }

    @Test
    void showsFortyLinesInAnErrorMessage() {
        OutputLog log = new OutputLog(10_000);
        IntStream.rangeClosed(1, 50).forEach(i -> log.add("line " + i));

        assertThat(log.tail().lines()).hasSize(40).startsWith("line 11").endsWith("line 50");
        assertThat(new OutputLog(1).tail()).isEmpty();
    }

    @Property(tries = 200)
    void keepsTheLongestEndThatFits(
            @ForAll List<@AlphaChars String> lines, @ForAll @IntRange(min = 1, max = 200) int capacity) {
        OutputLog log = new OutputLog(capacity);
        lines.forEach(log::add);

        List<String> kept =
                log.text().isEmpty() ? List.of() : List.of(log.text().split("\n", -1));
        int count = Math.max(0, kept.size() - 1);
        assertThat(kept.subList(0, count)).isEqualTo(lines.subList(lines.size() - count, lines.size()));
        assertThat(log.text().length() <= capacity || count == 1).isTrue();
        if (count < lines.size()) {
            int withOneMore =
                    log.text().length() + lines.get(lines.size() - count - 1).length() + 1;
            assertThat(withOneMore).isGreaterThan(capacity);
        }
    }
}
