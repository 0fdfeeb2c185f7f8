package io.stowline.advisor;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import org.jspecify.annotations.Nullable;

/** An attempt with the facts that a test gives it. */
final class FakeAttempt implements AttemptEvent {

    private String account = "acct";
    private final String service;
    private final String operation;
    private final String container;
    private String caller;
    private @Nullable String partition;
    private @Nullable String row;
    private @Nullable String accept;
    private boolean write;
    private Condition condition = Condition.NONE;
    private int entities = 1;
    private int returned = -1;
    private long sent;
    private long received;
    private int status = 200;
    private @Nullable String errorCode;
    private AttemptReason reason = AttemptReason.SUCCESS;
    private @Nullable String etag;
    private @Nullable String range;
    private int number = 1;
    private long permitNanos;
    private long connectNanos;
    private long elapsedNanos = 1_000_000;

    private FakeAttempt(String service, String operation, String container) {
        this.service = service;
        this.operation = operation;
        this.container = container;
        this.caller = operation;
    }

    static FakeAttempt of(String service, String operation, String container) {
        return new FakeAttempt(service, operation, container);
    }

    static FakeAttempt insert(String partition, String row) {
        return of("table", "insert", "runners").at(partition, row).writing(100);
    }

    static FakeAttempt find(String partition, String row, String etag) {
        return of("table", "find", "runners").at(partition, row).reading(200).etag(etag);
    }

    static FakeAttempt transaction(String partition, int entities) {
        FakeAttempt attempt =
                of("table", "transaction", "runners").at(partition, null).writing(1_000);
        attempt.entities = entities;
        return attempt;
    }

    static FakeAttempt upload(String name, long bytes) {
        return of("blob", "upload", "photos").at(name, null).writing(bytes);
    }

    static FakeAttempt download(String name, String etag) {
        return of("blob", "download", "photos").at(name, null).reading(100_000).etag(etag);
    }

    static FakeAttempt send(long bytes) {
        return of("queue", "send", "orders").writing(bytes);
    }

    static FakeAttempt receive(int requested, int returned) {
        FakeAttempt attempt = of("queue", "receive", "orders").reading(100);
        attempt.entities = requested;
        attempt.returned = returned;
        return attempt;
    }

    FakeAttempt at(String partitionKey, @Nullable String rowKey) {
        this.partition = partitionKey;
        this.row = rowKey;
        return this;
    }

    FakeAttempt in(String other) {
        FakeAttempt moved = new FakeAttempt(service, operation, other);
        moved.partition = partition;
        moved.row = row;
        moved.write = write;
        moved.sent = sent;
        moved.received = received;
        moved.etag = etag;
        return moved;
    }

    FakeAttempt of(String otherAccount) {
        this.account = otherAccount;
        return this;
    }

    FakeAttempt partOf(String other) {
        this.caller = other;
        return this;
    }

    FakeAttempt writing(long bytes) {
        this.write = true;
        this.sent = bytes;
        return this;
    }

    FakeAttempt reading(long bytes) {
        this.received = bytes;
        return this;
    }

    FakeAttempt accepting(String form) {
        this.accept = form;
        return this;
    }

    FakeAttempt etag(@Nullable String value) {
        this.etag = value;
        return this;
    }

    FakeAttempt range(@Nullable String value) {
        this.range = value;
        return this;
    }

    FakeAttempt repeated() {
        this.number = 2;
        return this;
    }

    FakeAttempt on(Condition given) {
        this.condition = given;
        return this;
    }

    FakeAttempt ending(AttemptReason end, int response, @Nullable String code) {
        this.reason = end;
        this.status = response;
        this.errorCode = code;
        return this;
    }

    FakeAttempt throttled() {
        return ending(AttemptReason.THROTTLED_PARTITION, 503, "ServerBusy");
    }

    FakeAttempt taking(double millis) {
        this.elapsedNanos = Math.round(millis * 1_000_000);
        return this;
    }

    FakeAttempt waiting(double millis) {
        this.permitNanos = Math.round(millis * 1_000_000);
        return this;
    }

    FakeAttempt connecting(double millis) {
        this.connectNanos = Math.round(millis * 1_000_000);
        return this;
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
        return null;
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
        return false;
    }

    @Override
    public long bytesSent() {
        return sent;
    }

    @Override
    public long bytesReceived() {
        return received;
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
        return false;
    }

    @Override
    public boolean existenceCheck() {
        return false;
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
