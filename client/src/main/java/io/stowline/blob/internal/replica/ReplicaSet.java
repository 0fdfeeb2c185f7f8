package io.stowline.blob.internal.replica;

import io.stowline.blob.ReplicaSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.ClosedException;
import io.stowline.error.StorageException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The containers that hold the copies of blobs; the first one is the source of the others. Thread-safe. */
public final class ReplicaSet {

    private final List<BlobContext> containers;
    private final ReplicaSettings settings;
    private final NewestVersions newest = new NewestVersions();

    /**
     * A set of containers.
     *
     * @throws IllegalArgumentException if there are no others, or a container is there twice
     */
    public ReplicaSet(BlobContext first, List<BlobContext> others, ReplicaSettings settings) {
        if (others.isEmpty()) {
            throw new IllegalArgumentException(
                    "others has no container; replicas need at least one beside " + first.url());
        }
        this.containers = Stream.concat(Stream.of(first), others.stream())
                .map(BlobContext::atPrimary)
                .toList();
        this.settings = settings;
        Set<String> seen = new HashSet<>();
        for (BlobContext context : containers) {
            if (!seen.add(context.url())) {
                throw new IllegalArgumentException("others has a container twice, or the source: " + context.url());
            }
        }
    }

    List<BlobContext> containers() {
        return containers;
    }

    public BlobContext source() {
        return containers.get(0);
    }

    List<BlobContext> others() {
        return containers.subList(1, containers.size());
    }

    ReplicaSettings settings() {
        return settings;
    }

    /** Returns whether an error is of one copy, so that the others go on: the client of a copy may be closed, that of the source may not. */
    boolean isOfOneCopy(Throwable error) {
        return error instanceof StorageException
                || (error instanceof ClosedException && !source().service().isClosed());
    }

    NewestVersions newest() {
        return newest;
    }

    @Override
    public String toString() {
        return source().name() + ", " + containers.size() + " containers";
    }
}
