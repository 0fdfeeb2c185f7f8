package io.stowline.advisor.internal.pending;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import org.jspecify.annotations.Nullable;

/** A copy of the facts of an attempt, which outlives its event. It is used again and again. Not thread-safe. */
final class PendingAttempt implements AttemptEvent {

    private String account = "";
    private String service = "";
    private String operation = "";
    private String caller = "";
    private String container = "";
    private @Nullable String partition;
    private @Nullable String row;
    private @Nullable String queryClass;
    private boolean write;
    private Condition condition = Condition.NONE;
    private @Nullable String accept;
    private int entities;
    private int returned;
    private boolean continued;
    private long bytesSent;
    private long bytesReceived;
    private int number;
    private int status;
    private @Nullable String errorCode;
    private AttemptReason reason = AttemptReason.SUCCESS;
    private boolean ambiguous;
    private boolean existenceCheck;
    private @Nullable String etag;
    private @Nullable String range;
    private long permitNanos;
    private long connectNanos;
    private long elapsedNanos;

    void set(AttemptEvent event) {
        account = event.account();
        service = event.service();
        operation = event.operation();
        caller = event.caller();
        container = event.container();
        partition = event.partition();
        row = event.row();
        queryClass = event.queryClass();
        write = event.write();
        condition = event.condition();
        accept = event.accept();
        entities = event.entities();
        // Of other operations the client would count the rows by the bytes of the response, and evidence does not use
        // them.
        boolean many = event.operation().equals("receive") || event.operation().equals("query");
        returned = many ? event.returned() : -1;
        continued = event.continued();
        bytesSent = event.bytesSent();
        bytesReceived = event.bytesReceived();
        number = event.number();
        status = event.status();
        errorCode = event.errorCode();
        reason = event.reason();
        ambiguous = event.ambiguous();
        existenceCheck = event.existenceCheck();
        etag = event.etag();
        range = event.range();
        permitNanos = event.permitNanos();
        connectNanos = event.connectNanos();
        elapsedNanos = event.elapsedNanos();
    }

    /** Drops the texts of the application. */
    void clear() {
        container = "";
        partition = null;
        row = null;
        etag = null;
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public String service() {
        return service;
    }

    @Override
    public String operation() {
        return operation;
    }

    @Override
    public String caller() {
        return caller;
    }

    @Override
    public String container() {
        return container;
    }

    @Override
    public @Nullable String partition() {
        return partition;
    }

    @Override
    public @Nullable String row() {
        return row;
    }

    @Override
    public @Nullable String queryClass() {
        return queryClass;
    }

    @Override
    public boolean write() {
        return write;
    }

    @Override
    public Condition condition() {
        return condition;
    }

    @Override
    public @Nullable String accept() {
        return accept;
    }

    @Override
    public int entities() {
        return entities;
    }

    @Override
    public int returned() {
        return returned;
    }

    @Override
    public boolean continued() {
        return continued;
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    @Override
    public long bytesReceived() {
        return bytesReceived;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public @Nullable String errorCode() {
        return errorCode;
    }

    @Override
    public AttemptReason reason() {
        return reason;
    }

    @Override
    public boolean ambiguous() {
        return ambiguous;
    }

    @Override
    public boolean existenceCheck() {
        return existenceCheck;
    }

    @Override
    public @Nullable String etag() {
        return etag;
    }

    @Override
    public @Nullable String range() {
        return range;
    }

    @Override
    public long permitNanos() {
        return permitNanos;
    }

    @Override
    public long connectNanos() {
        return connectNanos;
    }

    @Override
    public long elapsedNanos() {
        return elapsedNanos;
    }
}
