package io.stowline.examples.workqueue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.examples.workqueue.TrackerView.Slot;
import io.stowline.examples.workqueue.TrackerView.State;
import io.stowline.examples.workqueue.TrackerView.WorkerRow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LiveTableTest {

    private static final WorkerRow WORKING =
            new WorkerRow(1, 4711, State.WORKING, Arrays.asList(new Slot(113, 1), null, new Slot(120, 2)), 40, 1, 7);
    private static final WorkerRow KILLED =
            new WorkerRow(2, 4712, State.KILLED, Arrays.asList(new Slot(114, 1), null, null), 31, 0, 0);
    private static final TrackerView VIEW = new TrackerView(6.24, 400, 110, 1, List.of(WORKING, KILLED));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream print = new PrintStream(out, false, UTF_8);

    @Test
    void showsWhoHandlesWhat() {
        assertThat(LiveTable.lines(VIEW)).containsExactly("""
                   6.2 s  [#####...............] 110 of 400 done, 1 poison
                worker     pid  state     handles                           done failed taken
                     1    4711  working   113    -      120*                  40      1     7
                     2    4712  killed    114?   -      -                     31      0     0
                * delivered before   ? hidden by the lease of a killed worker""".split("\n"));
    }

    @Test
    void countsTheHandlersThatHaveNoRoom() {
        List<Slot> slots = IntStream.rangeClosed(100_000, 100_064)
                .mapToObj(job -> new Slot(job, 2))
                .toList();
        WorkerRow worker = new WorkerRow(16, 4_194_304, State.STARTING, slots, 99_999, 99_999, 99_999);

        assertThat(LiveTable.lines(new TrackerView(99_999.9, 100_000, 0, 0, List.of(worker))))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80))
                .element(2)
                .asString()
                .contains("100000*100001*100002*100003*+61");
    }

    @Test
    void isOneLineInALog() {
        assertThat(LiveTable.line(VIEW))
                .isEqualTo("   6.2 s  110 of 400 done; worker 1: 113 120*; worker 2 killed: 114?");
        WorkerRow idle = new WorkerRow(3, 4713, State.WORKING, Arrays.asList(null, null), 0, 0, 0);
        assertThat(LiveTable.line(new TrackerView(0, 400, 0, 0, List.of(idle)))).endsWith("; worker 3: -");
    }

    @Test
    void drawsOverTheTableBeforeAndKeepsMessages() {
        LiveDisplay display = new LiveDisplay.Redrawn(print);
        String table = String.join(System.lineSeparator(), LiveTable.lines(VIEW)) + System.lineSeparator();

        display.show(VIEW);
        assertThat(out.toString(UTF_8)).isEqualTo(table);
        out.reset();
        display.show(VIEW);
        assertThat(out.toString(UTF_8)).isEqualTo("\u001b[5A\r\u001b[J" + table);
        out.reset();
        display.message("Worker 2 is killed");
        display.show(VIEW);
        assertThat(out.toString(UTF_8))
                .isEqualTo("\u001b[5A\r\u001b[JWorker 2 is killed" + System.lineSeparator() + table);
    }

    @Test
    void isPlainWithoutATerminal() {
        LiveDisplay display = new LiveDisplay.Plain(print);

        display.message("Worker 2 is killed");
        display.show(VIEW);
        print.flush();

        assertThat(out.toString(UTF_8).lines()).containsExactly("Worker 2 is killed", LiveTable.line(VIEW));
    }
}
