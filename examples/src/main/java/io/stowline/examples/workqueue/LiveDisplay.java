package io.stowline.examples.workqueue;

import io.stowline.examples.shared.Terminals;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** A display that shows the live table: drawn over on a terminal, and a line every few seconds elsewhere. Thread-safe. */
interface LiveDisplay {

    /** Shows how the work stands. */
    void show(TrackerView view);

    /** Shows what happened, which stays. */
    void message(String text);

    /** Returns the time between two displays. */
    Duration interval();

    /** Returns a display that suits the process. */
    static LiveDisplay of(PrintStream out) {
        return Terminals.canRedraw(System.console(), System.getenv()) ? new Redrawn(out) : new Plain(out);
    }

    /** A table that is drawn over. */
    final class Redrawn implements LiveDisplay {

        // One less than the narrowest usual terminal: a line that wraps cannot be drawn over.
        private static final int MAX_COLUMNS = 79;

        private final PrintStream out;
        private int drawn;

        Redrawn(PrintStream out) {
            this.out = out;
        }

        @Override
        public synchronized void show(TrackerView view) {
            StringBuilder text = new StringBuilder(erased());
            List<String> lines = LiveTable.lines(view);
            for (String line : lines) {
                text.append(line, 0, Math.min(line.length(), MAX_COLUMNS)).append('\n');
            }
            out.print(text);
            out.flush();
            drawn = lines.size();
        }

        @Override
        public synchronized void message(String text) {
            out.println(erased() + text);
            drawn = 0;
        }

        private String erased() {
            return drawn == 0 ? "" : "\u001b[" + drawn + "A\r\u001b[J";
        }

        @Override
        public Duration interval() {
            return Duration.ofMillis(200);
        }
    }

    /** Plain lines, for logs and pipes. */
    final class Plain implements LiveDisplay {

        private final PrintStream out;

        Plain(PrintStream out) {
            this.out = out;
        }

        @Override
        public void show(TrackerView view) {
            out.println(LiveTable.line(view));
        }

        @Override
        public void message(String text) {
            out.println(text);
        }

        @Override
        public Duration interval() {
            return Duration.ofSeconds(2);
        }
    }
}
