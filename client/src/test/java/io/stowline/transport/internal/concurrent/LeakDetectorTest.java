package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LeakDetectorTest {

    private record Report(String text, Throwable made) {}

    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    private final LeakDetector watch =
            new LeakDetector(Cleaner.create(), (text, made) -> reports.add(new Report(text, made)));

    @SuppressWarnings("unused") // the holder is made to be lost
    private void loseOne(String what, AtomicBoolean open) {
        watch.watch(new Object(), what, open::get);
    }

    /** Collects garbage until the watch has reported something. */
    private Report next() throws InterruptedException {
        Report report = null;
        while (report == null) {
            System.gc();
            report = reports.poll(20, TimeUnit.MILLISECONDS);
        }
        return report;
    }

    @Test
    @Timeout(60)
    @DisplayName("DESIGN: a holder that is lost without close is logged with where it was made")
    void tellsOfWhatWasLostAndWhereItWasMade() throws InterruptedException {
        loseOne("the writer of people", new AtomicBoolean(true));

        Report report = next();

        assertThat(report.text()).startsWith("the writer of people became unreachable without close()");
        assertThat(Stream.of(report.made().getStackTrace()).map(StackTraceElement::getMethodName))
                .contains("loseOne", "tellsOfWhatWasLostAndWhereItWasMade");
    }

    @Test
    @Timeout(60)
    void saysNothingOfWhatWasClosed() throws InterruptedException {
        loseOne("closed", new AtomicBoolean(false));
        loseOne("open", new AtomicBoolean(true));

        assertThat(next().text()).startsWith("open");
        loseOne("open again", new AtomicBoolean(true));
        assertThat(next().text()).startsWith("open again");
        assertThat(reports).isEmpty();
    }

    @Test
    @Timeout(60)
    void saysNothingOfWhatIsStillHeld() throws InterruptedException {
        watch.watch(this, "held", () -> true);
        loseOne("lost", new AtomicBoolean(true));

        assertThat(next().text()).startsWith("lost");
        assertThat(reports).isEmpty();
    }

    /** An executor or listener of the application often holds the writer that it was given to. */
    private WeakReference<Object> closed() {
        Object holder = new Object();
        watch.watch(holder, "a writer", () -> holder.equals("open")).clean();
        return new WeakReference<>(holder);
    }

    @Test
    void whatIsClosedIsForgottenThoughItsStateHoldsIt() {
        WeakReference<Object> gone = closed();
        for (int i = 0; i < 100 && gone.get() != null; i++) {
            System.gc();
        }
        assertThat(gone.get()).isNull();
        assertThat(reports).isEmpty();
    }
}
