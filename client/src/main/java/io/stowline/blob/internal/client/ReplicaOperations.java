package io.stowline.blob.internal.client;

import io.stowline.blob.CopySettings;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.ReplicaSettings;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.replica.ReplicaPublication;
import io.stowline.blob.internal.replica.ReplicaReads;
import io.stowline.blob.internal.replica.ReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** The operations on the copies of hot blobs that both faces share. */
record ReplicaOperations(ReplicaSet replicas, ReplicaReads reads, ReplicaPublication publication) {

    static ReplicaOperations of(BlobContext source, List<?> others, UnaryOperator<ReplicaSettings.Builder> settings) {
        List<BlobContext> contexts = new ArrayList<>();
        for (Object other : Objects.requireNonNull(others, "others")) {
            contexts.add(ContainerView.contextOf(other, "others"));
        }
        ReplicaSet replicas = new ReplicaSet(
                source,
                contexts,
                DirectoryTransfers.changed(settings, ReplicaSettings.builder()).build());
        return new ReplicaOperations(
                replicas,
                new ReplicaReads(replicas),
                new ReplicaPublication(replicas, (chosen, from, etag, metadata) -> {
                    UploadSettings target = ContainerView.target(chosen, from);
                    return DirectoryTransfers.with(false, etag, metadata.apply(target.metadata()), target);
                }));
    }

    Mono<ReplicaReport> publish(String name, UnaryOperator<CopySettings.Builder> settings) {
        return publication.publish(
                name,
                DirectoryTransfers.changed(settings, CopySettings.builder()).build());
    }
}
