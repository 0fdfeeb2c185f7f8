package io.stowline.queue.internal.shard;

import io.stowline.error.NotFoundException;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.transport.StorageLimits;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A count of the messages whose bodies may be in one folder of blobs: those of the plain queue with the folder's name
 * and of all its shards, also of shards that this client does not receive from. Immutable.
 *
 * @param folder the name of the folder, which is that of the queue
 * @param known how many shards there are at the least
 * @param queues gives the operations of a queue
 */
public record FolderMessages(String folder, int known, Function<String, QueueOperations> queues) {

    private static final long ABSENT = -1;

    /** Returns their approximate number, never less. The shards end at the first one that does not exist. */
    public Mono<Long> count() {
        Flux<Long> shards = Flux.range(0, ShardLayout.MAX)
                .map(shard -> ShardLayout.queue(folder, shard))
                .takeWhile(name -> name.length() <= StorageLimits.QUEUE_NAME_MAX_CHARS)
                .index()
                .concatMap(shard -> count(shard.getT2())
                        .map(messages -> messages == ABSENT && shard.getT1() < known ? 0L : messages))
                .takeWhile(messages -> messages != ABSENT);
        return Flux.concat(count(folder), shards)
                .filter(messages -> messages != ABSENT)
                .reduce(0L, Long::sum);
    }

    private Mono<Long> count(String name) {
        return queues.apply(name)
                .approximateCount()
                .onErrorResume(NotFoundException.class, absent -> Mono.just(ABSENT));
    }
}
