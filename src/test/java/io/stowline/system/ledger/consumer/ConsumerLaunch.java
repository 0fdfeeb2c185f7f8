package io.stowline.system.ledger.consumer;

import com.azure.core.http.HttpClient;
import io.stowline.system.ledger.subject.Client;
import java.time.Duration;
import java.util.List;

/**
 * The arguments of a consumer, in this process or in a separate one.
 *
 * @param client with which client
 * @param consumer its number in the seed
 * @param connectionString its proxy
 * @param queue its queue
 * @param seed decides what its handlers do
 */
record ConsumerLaunch(Client client, int consumer, String connectionString, String queue, long seed) {

    /** Returns them as the arguments of a process. */
    List<String> arguments() {
        return List.of(client.name(), String.valueOf(consumer), connectionString, queue, String.valueOf(seed));
    }

    static ConsumerLaunch of(String... arguments) {
        return new ConsumerLaunch(
                Client.valueOf(arguments[0]),
                Integer.parseInt(arguments[1]),
                arguments[2],
                arguments[3],
                Long.parseLong(arguments[4]));
    }

    /**
     * Starts the consumer.
     *
     * @param http for the SDK's clients
     * @param closeTimeout how long closing Stowline may take; the SDK's loop ends with the handlers that run
     * @param events receives what its handlers do
     * @return ends it
     */
    AutoCloseable start(HttpClient http, Duration closeTimeout, HandlingEvents events) {
        HandlerScript script = new HandlerScript(seed);
        return switch (client) {
            case STOWLINE -> new StowlineWorker(consumer, connectionString, queue, closeTimeout, script, events);
            case SDK -> new SdkWorker(consumer, connectionString, queue, http, script, events);
        };
    }
}
