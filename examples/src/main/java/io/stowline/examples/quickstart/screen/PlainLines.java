package io.stowline.examples.quickstart.screen;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Progress as a line every few seconds: for logs and pipes.
 *
 * @param out where to
 */
public record PlainLines(PrintStream out) implements Screen {

    @Override
    public void progress(double fraction, String text) {
        out.println("  " + text);
    }

    @Override
    public void end() {
        out.flush();
    }

    @Override
    public Duration interval() {
        return Duration.ofSeconds(3);
    }
}
