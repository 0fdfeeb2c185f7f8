package io.stowline.table.internal;

import io.stowline.outcome.Evidence;
import io.stowline.table.Written;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.EntityTags;
import io.stowline.transport.internal.Finding;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Says what a look at an entity proves of a write to it whose answer was lost. The table of all cases, and why each is as it is, stands
 * in {@code docs/outcomes.md}: a mark proves that the write was carried out; that it is missing proves nothing, for a later write may
 * have removed it, and neither does it that the entity is missing.
 */
final class Judge {

    private static final String OLDER = "what is stored is older than the first attempt";
    private static final String SAME_VERSION = "the entity still has the version that the write was for";
    private static final String GONE = "there is no such entity now; somebody may have removed it since";
    private static final String NEWER = "what is stored was written after the first attempt, by nobody knows whom";
    private static final String CHANGED = "the entity has another version, and nothing of the write is in it";

    private final EncodedOperation sent;
    private final @Nullable String mark;
    private final boolean contentCounts;
    private final Doubt doubt;

    /**
     * Judges one write.
     *
     * @param sent what was sent
     * @param mark the mark that it left, or {@code null} if it left none
     * @param contentCounts whether it is enough that the content is there, whoever wrote it
     * @param doubt what is not known of its attempts
     */
    Judge(EncodedOperation sent, @Nullable String mark, boolean contentCounts, Doubt doubt) {
        this.sent = sent;
        this.mark = mark;
        this.contentCounts = contentCounts;
        this.doubt = doubt;
    }

    /** What it means that there is no such entity. */
    Finding<Written> absent() {
        return sent.verb() == Verb.DELETE && !sent.bound()
                ? new Finding.Done<>(Written.absent(Evidence.CONTENT, sent.mayRepeat(doubt, Evidence.CONTENT)))
                : new Finding.Unknown<>(GONE);
    }

    /** What it means that the entity looks so. */
    Finding<Written> of(Seen seen) throws IOException {
        if (mark != null && mark.equals(seen.properties().mark())) {
            return recovered(seen, Evidence.MARKER);
        }
        if (sent.bound() && EntityTags.same(seen.etag(), sent.ifMatch())) {
            return onceOver(SAME_VERSION);
        }
        if (doubt.isYoungerThan(seen.written(), seen.date())) {
            // A version that has gone does not come back, so that a write bound to it can never be carried out.
            return sent.bound() ? new Finding.Refused<>(OLDER) : onceOver(OLDER);
        }
        if (contentCounts && sent.verb().hasBody() && holdsContent(seen)) {
            return recovered(seen, Evidence.CONTENT);
        }
        return new Finding.Unknown<>(sent.bound() ? CHANGED : NEWER);
    }

    private Finding<Written> onceOver(String how) {
        return doubt.over() ? new Finding.Refused<>(how) : new Finding.Open<>();
    }

    private Finding<Written> recovered(Seen seen, Evidence evidence) throws IOException {
        boolean whole = sent.verb().replaces() && seen.properties().equal(Seen.sent(sent));
        return new Finding.Done<>(
                Written.recovered(whole ? seen.etag() : "", evidence, sent.mayRepeat(doubt, evidence)));
    }

    private boolean holdsContent(Seen seen) throws IOException {
        Properties content = Seen.sent(sent);
        return sent.verb().replaces()
                ? seen.properties().equal(content)
                : seen.properties().hold(content);
    }
}
