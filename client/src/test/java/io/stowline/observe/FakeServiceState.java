package io.stowline.observe;

/** A state whose figures a test sets. */
final class FakeServiceState implements ServiceState {

    private final String account;
    int figure;
    String breaker = "off";

    FakeServiceState(String account, int figure) {
        this.account = account;
        this.figure = figure;
    }

    @Override
    public String account() {
        return account;
    }

    @Override
    public String service() {
        return "table";
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
}
