package io.stowline.examples.lookup;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.Traffic;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Between the reading client and its storage: counts what goes over the wire where the program has an Azurite of its own. */
final class Wire implements AutoCloseable {

    private final ProgramAccount account;
    private final @Nullable FaultProxy proxy;

    private Wire(ProgramAccount account, @Nullable FaultProxy proxy) {
        this.account = account;
        this.proxy = proxy;
    }

    static Wire to(ProgramAccount account) {
        FaultProxy proxy = account.azurite()
                // Nobody looks at what was exchanged, and bodies take memory.
                .map(azurite -> FaultProxy.builder()
                        .before(azurite)
                        .recordedExchanges(1)
                        .start())
                .orElse(null);
        return new Wire(account, proxy);
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

    /** What went through so far; nothing where nobody counts. */
    Traffic traffic(StorageService service) {
        return proxy == null ? Traffic.NONE : proxy.traffic(service);
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
    }
}
