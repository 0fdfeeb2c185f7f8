package io.stowline.observe;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Copies all that a listener can read of each attempt. */
public final class AttemptRecorder implements StowlineListener {

    private final List<SeenAttempt> seen = new CopyOnWriteArrayList<>();

    /** The copy of an event. */
    public record SeenAttempt(
            String account,
            String service,
            String operation,
            String caller,
            String container,
            @Nullable String partition,
            @Nullable String row,
            @Nullable String queryClass,
            boolean write,
            AttemptEvent.Condition condition,
            @Nullable String accept,
            int entities,
            int returned,
            boolean continued,
            long bytesSent,
            long bytesReceived,
            int number,
            int status,
            @Nullable String errorCode,
            AttemptReason reason,
            boolean ambiguous,
            boolean existenceCheck,
            @Nullable String etag,
            long permitNanos,
            long connectNanos,
            long elapsedNanos) {}

    @Override
    public void onAttemptEnd(AttemptEvent event) {
        seen.add(new SeenAttempt(
                event.account(),
                event.service(),
                event.operation(),
                event.caller(),
                event.container(),
                event.partition(),
                event.row(),
                event.queryClass(),
                event.write(),
                event.condition(),
                event.accept(),
                event.entities(),
                event.returned(),
                event.continued(),
                event.bytesSent(),
                event.bytesReceived(),
                event.number(),
                event.status(),
                event.errorCode(),
                event.reason(),
                event.ambiguous(),
                event.existenceCheck(),
                event.etag(),
                event.permitNanos(),
                event.connectNanos(),
                event.elapsedNanos()));
    }

    /** Returns the attempts in the order of their ends. */
    public List<SeenAttempt> seen() {
        return seen;
    }

    /** Returns the only attempt. */
    public SeenAttempt only() {
        if (seen.size() != 1) {
            throw new AssertionError("not one attempt but " + seen);
        }
        return seen.get(0);
    }
}
