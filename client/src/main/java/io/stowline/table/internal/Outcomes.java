package io.stowline.table.internal;

import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.table.Written;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Finding;
import io.stowline.transport.internal.Settlement;
import io.stowline.transport.internal.StoragePipeline;
import java.io.IOException;
import reactor.core.publisher.Mono;

/**
 * Finds out what became of writes whose answer was lost, by looking at the entity: first in line, past every cache, in the primary, and
 * within the write's deadline. Thread-safe.
 */
final class Outcomes {

    /** What is said of an upsert that ended without an answer. */
    static final String UPSERT =
            "an upsert is not read back, for a later write may have changed what it left; it can be sent once more";

    private final TableClient client;
    private final StoragePipeline pipeline;

    Outcomes(TableClient client, StoragePipeline pipeline) {
        this.client = client;
        this.pipeline = pipeline;
    }

    /** What a look proves; when it can only be proved once the horizon has passed, and time allows, there is a second look. */
    Mono<Finding<Written>> look(EncodedOperation sent, Judge judge, Doubt doubt) {
        Mono<Finding<Written>> once = Mono.defer(() -> once(sent, judge, doubt));
        return Settlement.look(once, doubt, client.retry().leastAttempt());
    }

    /** One look. */
    Mono<Finding<Written>> once(EncodedOperation sent, Judge judge, Doubt doubt) {
        return pipeline.send(readBack(sent, doubt))
                .map(answer -> judged(answer, judge))
                .onErrorResume(NotFoundException.class, e -> Mono.just(missing(e, judge)))
                .onErrorResume(StorageException.class, e -> Mono.just(Settlement.unseen(e)));
    }

    private Call<Answer> readBack(EncodedOperation sent, Doubt doubt) {
        return TableRequests.call(client.entity(sent), client.retry()).within(doubt.deadline());
    }

    private static Finding<Written> judged(Answer answer, Judge judge) {
        try {
            return judge.of(Seen.of(answer));
        } catch (IOException e) {
            return new Finding.Unseen<>("the entity is there but could not be read: " + e.getMessage());
        }
    }

    private static Finding<Written> missing(NotFoundException e, Judge judge) {
        return "TableNotFound".equals(e.failure().errorCode())
                ? new Finding.Unknown<>("the table is gone, and what was in it")
                : judge.absent();
    }
}
