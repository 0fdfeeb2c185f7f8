package io.stowline.examples.quickstart;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where the cities go. */
interface CitySink {

    /** Hands a city over; {@code done} gets null when it is written, and otherwise why not, on any thread. */
    void write(City city, Consumer<@Nullable Throwable> done);

    /** Has all that was handed over sent, however little it is, and does not wait for it. */
    void sendRest();

    /** Waits until all that was handed over has its result. */
    void drain();
}
