package io.stowline.examples.quickstart;

import io.stowline.table.TableWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The automatic writer.
 *
 * <p>{@code insertOrReplace}, because it has the same effect when an answer is lost and it is sent again. Two cities with one key would
 * be one city less, which the count at the end would show.
 */
record WriterSink(TableWriter<City> writer) implements CitySink {

    @Override
    public void write(City city, Consumer<@Nullable Throwable> done) {
        writer.insertOrReplace(city).whenComplete((written, error) -> done.accept(error));
    }

    @Override
    public void sendRest() {
        writer.reactive().flush().subscribe();
    }

    @Override
    public void drain() {
        writer.flush();
    }
}
