package io.stowline.examples.quickstart.screen;

import java.io.PrintStream;
import java.time.Duration;

/** Progress as one line with a bar that is drawn over and over. Not thread-safe. */
final class RedrawnLine implements Screen {

    // One less than the narrowest usual terminal, since a line that wraps cannot be drawn over.
    private static final int MOST_COLUMNS = 79;
    private static final int BAR = 10;

    private final PrintStream out;
    private int drawn;

    RedrawnLine(PrintStream out) {
        this.out = out;
    }

    @Override
    public void progress(double fraction, String text) {
        int full = (int) (BAR * Math.max(0, Math.min(1, fraction)));
        String line = "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] " + text;
        String shown = line.substring(0, Math.min(line.length(), MOST_COLUMNS));
        out.print("\r" + shown + " ".repeat(Math.max(0, drawn - shown.length())));
        out.flush();
        drawn = shown.length();
    }

    @Override
    public void end() {
        if (drawn > 0) {
            out.println();
            drawn = 0;
        }
    }

    @Override
    public Duration interval() {
        return Duration.ofMillis(200);
    }
}
