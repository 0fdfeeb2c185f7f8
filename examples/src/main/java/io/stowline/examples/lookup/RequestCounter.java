package io.stowline.examples.lookup;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxy.TrafficStats;
import io.stowline.testkit.StorageService;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Between the reading client and its storage: counts what goes over the wire where the program has an Azurite of its own. */
final class RequestCounter implements AutoCloseable {

    private final ProgramAccount account;
    private final @Nullable FaultProxy proxy;

    private RequestCounter(ProgramAccount account, @Nullable FaultProxy proxy) {
        this.account = account;
        this.proxy = proxy;
    }

    static RequestCounter to(ProgramAccount account) {
        FaultProxy proxy = account.azurite()
                // The example does not look at bodies, and they take memory.
                .map(azurite -> FaultProxy.builder()
                        .inFrontOf(azurite)
                        .recordedExchanges(1)
                        .start())
                .orElse(null);
        return new RequestCounter(account, proxy);
    }

    /** A client whose requests are counted. */
    Stowline connect(UnaryOperator<Stowline.Builder> settings) {
        return proxy == null
                ? account.connect(settings)
                : settings.apply(Stowline.builder())
                        .connectionString(proxy.storage().connectionString())
                        .build();
    }

    boolean counts() {
        return proxy != null;
    }

    /** What went through so far; nothing where it is not counted. */
    TrafficStats traffic(StorageService service) {
        return proxy == null ? TrafficStats.NONE : proxy.traffic(service);
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
    }
}
