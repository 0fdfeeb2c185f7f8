package io.stowline.blob.internal.client;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.RevisionId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The facts of a revision, which both faces share. */
abstract class RevisionView {

    final BlobContext context;
    final String name;
    private final RevisionId id;
    private final @Nullable BlobInfo info;
    private final RevisionState state;

    /** The state of a revision in a listing. */
    enum RevisionState {
        KEPT,
        CURRENT,
        DELETED
    }

    RevisionView(BlobContext context, String name, RevisionId id, @Nullable BlobInfo info, RevisionState state) {
        this.context = context.at(id);
        this.name = name;
        this.id = id;
        this.info = info;
        this.state = state;
    }

    RevisionView(RevisionView other) {
        this(other.context, other.name, other.id, other.info, other.state);
    }

    public String name() {
        return name;
    }

    public String id() {
        return id.id();
    }

    public boolean isSnapshot() {
        return id.parameter().equals(RevisionId.SNAPSHOT);
    }

    public Optional<BlobInfo> listed() {
        return Optional.ofNullable(info);
    }

    public boolean current() {
        return state == RevisionState.CURRENT;
    }

    public boolean deleted() {
        return state == RevisionState.DELETED;
    }
}
