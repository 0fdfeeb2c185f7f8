package io.stowline;

import io.stowline.access.AccountSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.projection.Mapping;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReactiveShardedQueue;
import io.stowline.queue.ShardSettings;
import io.stowline.service.ReactiveCors;
import io.stowline.service.ReactiveServiceProperties;
import io.stowline.service.ServiceType;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.outbox.ReactiveOutbox;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Stowline}. Thread-safe.
 */
public final class ReactiveStowline {

    private final Stowline storage;
    private final ClientServices services;

    ReactiveStowline(Stowline storage, ClientServices services) {
        this.storage = storage;
        this.services = services;
    }

    /**
     * Returns a table of entities whose properties are not known before; see {@link Stowline#table(String)}.
     *
     * @param name the table's name
     * @return the table
     */
    public ReactiveTable<Entity> table(String name) {
        Objects.requireNonNull(name, "name");
        return storage.table(name).reactive();
    }

    /**
     * Returns a table of entities of one Java type; see {@link Stowline#table(String, Class)}.
     *
     * @param name the table's name
     * @param type the Java type
     * @param <T> that type
     * @return the table
     */
    public <T> ReactiveTable<T> table(String name, Class<T> type) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        return storage.table(name, type).reactive();
    }

    /**
     * Returns a table of entities of one Java type, with a mapping of what the type does not declare itself; see {@link Stowline#table(String, Class,
     * UnaryOperator)}.
     *
     * @param name the table's name
     * @param type the Java type
     * @param mapping changes the standard mapping
     * @param <T> that type
     * @return the table
     */
    public <T> ReactiveTable<T> table(String name, Class<T> type, UnaryOperator<Mapping.Builder> mapping) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(mapping, "mapping");
        return storage.table(name, type, mapping).reactive();
    }

    /**
     * Returns the names of all tables; see {@link Stowline#listTables}.
     *
     * @return the names
     */
    public Mono<List<String>> listTables() {
        return services.listTables();
    }

    /**
     * Returns a queue of text messages; see {@link Stowline#queue(String)}.
     *
     * @param name the queue's name
     * @return the queue
     */
    public ReactiveMessageQueue<String> queue(String name) {
        Objects.requireNonNull(name, "name");
        return storage.queue(name).reactive();
    }

    /**
     * Returns a queue whose messages carry values of one type; see {@link Stowline#queue(String, Class)}.
     *
     * @param name the queue's name
     * @param type the type of the bodies
     * @param <T> that type
     * @return the queue
     */
    public <T> ReactiveMessageQueue<T> queue(String name, Class<T> type) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        return storage.queue(name, type).reactive();
    }

    /**
     * Returns several queues as one; see {@link Stowline#shardedQueue}.
     *
     * @param name the name that they share
     * @param type the type of the bodies
     * @param settings sets how many queues get messages, and how many are received from
     * @param <T> the type of the bodies
     * @return the sharded queue
     */
    public <T> ReactiveShardedQueue<T> shardedQueue(
            String name, Class<T> type, UnaryOperator<ShardSettings.Builder> settings) {
        return storage.shardedQueue(name, type, settings).reactive();
    }

    /**
     * Returns the names of all queues; see {@link Stowline#listQueues()}.
     *
     * @return the names
     */
    public Mono<List<String>> listQueues() {
        return services.listQueues(List.of(""));
    }

    /**
     * Returns the names of the queues that begin with one of the prefixes; see {@link Stowline#listQueues(Collection)}.
     *
     * @param prefixes the beginnings, in any order
     * @return the names in their order, each once
     */
    public Mono<List<String>> listQueues(Collection<String> prefixes) {
        return services.listQueues(prefixes);
    }

    /**
     * Returns the outbox; see {@link Stowline#outbox}.
     *
     * @return the outbox
     */
    public ReactiveOutbox outbox() {
        return services.outbox().reactive();
    }

    /**
     * Returns a container of blobs; see {@link Stowline#container}.
     *
     * @param name the container's name
     * @return the container
     */
    public ReactiveBlobContainer container(String name) {
        Objects.requireNonNull(name, "name");
        return storage.container(name).reactive();
    }

    /**
     * Returns the names of all containers; see {@link Stowline#listContainers()}.
     *
     * @return the names
     */
    public Mono<List<String>> listContainers() {
        return services.listContainers(List.of(""));
    }

    /**
     * Returns the names of the containers that begin with one of the prefixes; see {@link Stowline#listContainers(Collection)}.
     *
     * @param prefixes the beginnings, in any order
     * @return the names in their order, each once
     */
    public Mono<List<String>> listContainers(Collection<String> prefixes) {
        return services.listContainers(prefixes);
    }

    /**
     * Begins a signature that opens the account for others; see {@link Stowline#sas}.
     *
     * @return its builder
     */
    public AccountSasBuilder<Mono<SharedAccessSignature>> sas() {
        return services.sas(services::delivered);
    }

    /**
     * Returns the CORS rules of a service; see {@link Stowline#cors}.
     *
     * @param service the service
     * @return its rules
     */
    public ReactiveCors cors(ServiceType service) {
        return storage.cors(service).reactive();
    }

    /**
     * Returns the properties of a service; see {@link Stowline#serviceProperties}.
     *
     * @param service the service
     * @return its properties
     */
    public ReactiveServiceProperties serviceProperties(ServiceType service) {
        return storage.serviceProperties(service).reactive();
    }

    /**
     * Returns the name of the account; see {@link Stowline#accountName}.
     *
     * @return the name
     */
    public String accountName() {
        return storage.accountName();
    }

    /**
     * Returns the endpoints of the services that this client can use; see {@link Stowline#endpoints}.
     *
     * @return the primary endpoints by service
     */
    public Map<String, URI> endpoints() {
        return storage.endpoints();
    }

    /**
     * Closes the client; see {@link Stowline#close}. A handler of a queue consumer may subscribe to it by itself. As a part of what a handler
     * returns, or of the content that an upload reads, it ends with {@link IllegalStateException}, and closes nothing. So do {@code block()},
     * {@code toIterable()}, {@code toStream()} and {@code toFuture()} where {@link Stowline#close} is refused.
     *
     * @return the end of it; the closing begins with the subscription, and cancelling does not end it
     */
    public Mono<Void> close() {
        return services.closeReactively();
    }
}
