package io.stowline.table;

import io.stowline.projection.Mapping;
import io.stowline.table.internal.writer.TableService;
import java.util.List;
import reactor.core.publisher.Mono;

/** Makes tables of the parts that a client holds. Not part of the API: only the entry in {@code io.stowline} has such parts. */
public final class Tables {

    private final TableService service;

    /**
     * Stands on a table service.
     *
     * @param service the service
     */
    @SuppressWarnings("exports")
    public Tables(TableService service) {
        this.service = service;
    }

    /**
     * Returns a table.
     *
     * @param name its name
     * @param type the type of its entities
     * @param <T> that type
     * @return the table
     */
    public <T> Table<T> table(String name, Class<T> type) {
        return table(name, type, Mapping.standard());
    }

    /**
     * Returns a table.
     *
     * @param name its name
     * @param type the type of its entities
     * @param mapping what the type does not say itself
     * @param <T> that type
     * @return the table
     */
    public <T> Table<T> table(String name, Class<T> type, Mapping mapping) {
        return new Table<>(
                new TableContext<>(service, service.table(name), TableContext.keyedCodec(type, mapping), mapping));
    }

    /**
     * Returns the names of all tables.
     *
     * @return the names
     */
    public Mono<List<String>> names() {
        return service.delivered(service.tables().names());
    }
}
