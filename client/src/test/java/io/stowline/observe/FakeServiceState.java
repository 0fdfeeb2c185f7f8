package io.stowline.observe;

import io.stowline.retry.RetrySettings;
import java.time.Duration;

/** A state whose figures a test sets. */
final class FakeServiceState implements ServiceState {

    private final String account;
    private final String service;
    int figure;
    String breaker = "off";

    FakeServiceState(String account, int figure) {
        this(account, "table", figure);
    }

    FakeServiceState(String account, String service, int figure) {
        this.account = account;
        this.service = service;
        this.figure = figure;
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
    public int permitLimit() {
        return figure;
    }

    @Override
    public int permitsInUse() {
        return figure + 1;
    }

    @Override
    public int permitsWaiting() {
        return figure + 2;
    }

    @Override
    public long bufferedItems() {
        return (long) figure + 4;
    }

    @Override
    public long pausedWriters() {
        return 2;
    }

    @Override
    public long bufferedBytes() {
        return (long) figure + 5;
    }

    @Override
    public int limitedPartitions() {
        return figure + 3;
    }

    @Override
    public long handlersRunning() {
        return (long) figure + 6;
    }

    @Override
    public long messagesInHand() {
        return (long) figure + 7;
    }

    @Override
    public long queueBacklog() {
        return (long) figure + 8;
    }

    @Override
    public Duration pollAge() {
        return Duration.ofMillis(1_500L * figure);
    }

    @Override
    public Duration oldestMessageAge() {
        return Duration.ofSeconds(figure);
    }

    @Override
    public long relaysRunning() {
        return (long) figure + 9;
    }

    @Override
    public long outboxHints() {
        return (long) figure + 10;
    }

    @Override
    public Duration oldestHintAge() {
        return Duration.ofSeconds(2L * figure);
    }

    @Override
    public long hintsPoisoned() {
        return (long) figure + 11;
    }

    @Override
    public double quotaAvailable() {
        return figure + 0.5;
    }

    @Override
    public double quotaCapacity() {
        return figure + 4;
    }

    @Override
    public String breaker() {
        return breaker;
    }

    @Override
    public ClientInfo client() {
        return new ClientInfo("1", "1", "2022-11-02", RetrySettings.defaults(), figure, null, false, false, false);
    }

    @Override
    public Duration clockSkew() {
        return Duration.ofSeconds(-figure);
    }
}
