package io.stowline.examples.quickstart.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final List<String> shown = new ArrayList<>();
    private long now = 5;
    private long done;
    private String detail = "";

    private final Screen screen = new Screen() {
        @Override
        public void progress(double fraction, String text) {
            shown.add(String.format(Locale.ROOT, "%.3f%s", fraction, text));
        }

        @Override
        public void end() {
            shown.add("end");
        }

        @Override
        public Duration interval() {
            return Duration.ZERO;
        }
    };

    @Test
    void showsSpeedDetailAndTimeLeft() {
        Progress progress = progress(171_075);
        after(6, 73_500);
        detail = "735 EGTs of 100.0  2 retries";
        progress.show();

        assertThat(shown).containsExactly("0.430 42%  12,250 entities/s  735 EGTs of 100.0  2 retries  0:08 left");
    }

    @Test
    void leavesOutADetailThatIsEmpty() {
        Progress progress = progress(200);
        after(10, 100);
        progress.show();

        assertThat(shown).containsExactly("0.500 50%  10 entities/s  0:10 left");
    }

    @Test
    void knowsNoTimeLeftBeforeAnythingIsDone() {
        Progress progress = progress(200);
        progress.show();
        after(3, 0);
        progress.show();

        assertThat(shown).containsExactly("0.000  0%  0 entities/s  -:-- left", "0.000  0%  0 entities/s  -:-- left");
    }

    @Test
    void showsMinutesAndHours() {
        Progress progress = progress(10_000);
        after(1, 1);
        progress.show();
        after(1, 100);
        progress.show();

        assertThat(shown.get(0)).endsWith("  2:46:39 left");
        assertThat(shown.get(1)).endsWith("  3:18 left");
    }

    @Test
    void endsWithTheWhole() {
        Progress progress = progress(200);
        after(10, 200);
        progress.end();

        assertThat(shown).containsExactly("1.000100%  20 entities/s  0:00 left", "end");
    }

    @Test
    void isDoneWhenThereIsNothingToDo() {
        Progress progress = progress(0);
        after(1, 0);
        progress.end();

        assertThat(shown).containsExactly("1.000100%  0 entities/s  -:-- left", "end");
    }

    private Progress progress(long total) {
        return new Progress(screen, () -> now, total, () -> done, () -> detail);
    }

    private void after(long seconds, long done) {
        now += Duration.ofSeconds(seconds).toNanos();
        this.done = done;
    }
}
