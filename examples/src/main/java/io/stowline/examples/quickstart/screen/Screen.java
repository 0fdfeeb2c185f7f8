package io.stowline.examples.quickstart.screen;

import io.stowline.examples.shared.Terminals;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where progress is shown. */
public interface Screen {

    /** Shows how far the work is: {@code fraction} from 0 to 1, and the same in words. */
    void progress(double fraction, String text);

    /** Ends the line, so that others may follow. */
    void end();

    /** How often to show progress. */
    Duration interval();

    /** A line that is drawn again and again where there is a terminal, and plain lines elsewhere. */
    static Screen of(PrintStream out, @Nullable Console console, Map<String, String> environment) {
        return Terminals.canRedraw(console, environment) ? new RedrawnLine(out) : new PlainLines(out);
    }
}
